import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createTakeFault } from '../../src/server/sandbox/world/take-fault.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { asAdmin } from '../support/postgres-server.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A client with calls or work under way, and what others, and its own short work, wait for.

let place: Place
let own: Database
let other: Database
let service: TestService
beforeAll(async () => {
  place = await createDatabase()
  own = await openPostgres(place.address)
  other = await openPostgres(place.address)
  service = await startService({ database: own })
})
afterAll(async () => {
  await service.close()
  await other.close()
  await place.remove()
})

/** Begins a transaction of a client that is not over until it is let go. */
async function hold(database: Database, { clientId }: Tenant) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const over = database.transaction(
    async (db) => {
      await db.all('select 1')
      begun.resolve()
      await ended.promise
    },
    { owner: clientId },
  )
  await begun.promise
  return async () => {
    ended.resolve()
    await over
  }
}

/** Plans a job that is due, and finds nothing to do. */
const plan = ({ clientId }: Tenant, dueAt: number) =>
  other.transaction((db) =>
    db.run(
      `insert into jobs (client_id, job_id, kind, payload, due_at)
        values ($1, 'job', 'transactionsCheck', '{"item_id":"none"}', $2)`,
      [clientId, dueAt],
    ),
  )

const countJobs = async ({ clientId }: Tenant): Promise<number> =>
  (await other.single.all('select 1 from jobs where client_id = $1', [clientId])).length

const patience = { timeout: 20_000 }

describe('jobs', () => {
  test.each([
    ['this process', () => own],
    ['another process', () => other],
  ])('wait for no other client that %s works for', async (_case, database) => {
    const [busy, idle] = [await service.tenant(), await service.tenant()]
    const letGo = await hold(database(), busy)
    try {
      await plan(busy, 1)
      await plan(idle, 2)
      service.service.runner.wake()
      await expect.poll(() => countJobs(idle), patience).toBe(0)
      expect(await countJobs(busy)).toBe(1)
    } finally {
      await letGo()
    }
    await expect.poll(() => countJobs(busy), patience).toBe(0)
  })

  test('of a client whose calls follow each other without a gap get a connection', async () => {
    const busy = await service.tenant()
    let goesOn = true
    const call = async () => {
      while (goesOn) {
        await own.transaction((db) => db.all('select pg_sleep(0.02)'), { owner: busy.clientId })
      }
    }
    const calls = [call(), call(), call()]
    try {
      await plan(busy, 1)
      service.service.runner.wake()
      await expect.poll(() => countJobs(busy), patience).toBe(0)
    } finally {
      goesOn = false
      await Promise.all(calls)
    }
  })
})

/** Resolves once so many transactions wait for a lock at the server, or after a while. */
async function untilWaiting(count: number): Promise<void> {
  const database = new URL(place.address).pathname.slice(1)
  for (let looks = 0; looks < 100; looks += 1) {
    const waiting = await asAdmin(
      (sql) => sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = ${database} and l.locktype = 'advisory' and not l.granted`,
    )
    if (waiting.length >= count) return
  }
}

/** The order in which a long call and one that looks for a fault are done, after one that holds both up. */
async function orderOfBoth(tenant: Tenant): Promise<string[]> {
  const injected = { operation: '/wallet/list', drop: true } as const
  await tenant.control('sandboxErrorInject', injected)
  const order: string[] = []
  const letGo = await hold(own, tenant)
  const long = own
    .transaction(async (db) => db.all('select 1'), { owner: tenant.clientId })
    .then(() => order.push('long'))
  const client = { client_id: tenant.clientId } as never
  const short = createTakeFault(service.service.database)({
    client,
    operationId: 'walletList',
    accessTokenHash: undefined,
  }).then((fault) => order.push(`short ${fault?.drops}`))
  await untilWaiting(1)
  // Other work of the client may be what waits: by now, the short call has come to the server, too.
  await sleep(300)
  await letGo()
  await Promise.all([long, short])
  return order
}

test('a call that looks for an injected fault does not stand behind long calls of its client', async () => {
  const tenant = await service.tenant()
  const right = ['short true', 'long']
  // On a busy machine the short call may come to the server too late. If it stood behind the long one,
  // it would never be first.
  let order: string[] = []
  for (let tries = 0; tries < 5 && order[0] !== right[0]; tries += 1) {
    order = await orderOfBoth(tenant)
  }
  expect(order).toEqual(right)
})
