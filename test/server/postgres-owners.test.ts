import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { type Database, DatabaseBusy } from '../../src/server/kernel/database.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// What transactions of one owner and of several mean to each other. Each owner is a client.

let place: Place
let databases: [Database, Database]
beforeAll(async () => {
  place = await createDatabase()
  const open = () => openPostgres(`${place.address}&statement_timeout=600`)
  databases = [await open(), await open()]
  await databases[0].exclusive((db) =>
    db.run('create table notes (owner text, number integer, primary key (owner, number))'),
  )
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.remove()
})

/** Adds a note that counts those before it; `meet` is waited for between the two statements. */
async function addNote(database: Database, owner: string, meet = async () => {}) {
  let tries = 0
  await database.transaction(
    async (db) => {
      tries += 1
      const all = await db.all('select number from notes where owner = $1', [owner])
      await meet()
      await db.run('insert into notes values ($1, $2)', [owner, all.length + 1])
    },
    { owner },
  )
  return tries
}

/** Lets so many go on once all of them are there; nobody waits for those who come again. */
function meeting(count: number) {
  const met = Promise.withResolvers<void>()
  let there = 0
  return () => {
    there += 1
    if (there === count) met.resolve()
    return met.promise
  }
}

/** Begins a transaction of an owner that is not over until it is let go. */
async function hold(database: Database, owner: string) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const wait = async () => {
    begun.resolve()
    await ended.promise
  }
  const over = addNote(database, owner, wait)
  await begun.promise
  return async () => {
    ended.resolve()
    await over
  }
}

const listNotes = (owner: string) =>
  databases[0].single.all<{ number: number }>(
    'select number from notes where owner = $1 order by number',
    [owner],
  )

describe('transactions', () => {
  test('of several owners never end each other, though their rows are neighbors', async () => {
    const owners = ['neighbor a', 'neighbor b', 'neighbor c']
    const meet = meeting(owners.length)
    const tries = await Promise.all(
      owners.map((owner, index) => addNote(databases[index % 2] as Database, owner, meet)),
    )
    expect(tries).toEqual([1, 1, 1])
  })

  test('of one owner run one after the other, in all processes, and none is repeated', async () => {
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) => addNote(databases[index % 2] as Database, 'one')),
    )
    expect(tries).toEqual(tries.map(() => 1))
    expect((await listNotes('one')).map(({ number }) => number)).toEqual(
      tries.map((_, index) => index + 1),
    )
  })

  test('that wait for another one of their owner for too long say so, and leave nothing open', async () => {
    const letGo = await hold(databases[0], 'slow')
    const late = Array.from({ length: 3 }, () =>
      databases[1].transaction((db) => db.run("insert into notes values ('slow', 99)"), {
        owner: 'slow',
      }),
    )
    const outcomes = await Promise.allSettled(late)
    await letGo()
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: expect.any(DatabaseBusy) })
    }
    expect(await addNote(databases[1], 'slow')).toBe(1)
    expect((await listNotes('slow')).map(({ number }) => number)).toEqual([1, 2])
  })
})

describe('a call whose client has others under way for too long', () => {
  let service: TestService
  let tenant: Tenant
  beforeAll(async () => {
    service = await startService({ database: databases[1], log: { info() {}, error() {} } })
    tenant = await service.tenant()
  })

  test('gets that reason, and not that the database is away', async () => {
    const letGo = await hold(databases[0], tenant.clientId)
    const create = { iso_currency_code: 'EUR' }
    const { status, body, headers } = await tenant.post('/wallet/create', create)
    await letGo()
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(body).toMatchObject({
      error_code: 'PLANNED_MAINTENANCE',
      error_message: expect.stringContaining('take too long at the moment; nothing was done'),
    })
    expect((await tenant.post('/wallet/create', create)).status).toBe(200)
    const { body: listed } = await tenant.post('/wallet/list', {})
    expect(listed['wallets']).toHaveLength(1)
  })
})
