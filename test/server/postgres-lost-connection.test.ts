import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connection, openConnection } from '../../src/server/db/connection.ts'
import { noLimits } from '../../src/server/db/limits.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { beginSession } from '../../src/server/db/session.ts'
import { LostConnection } from '../../src/server/db/statement-error.ts'
import { createDatabase, type Place } from '../support/engine.ts'

let place: Place
beforeAll(async () => {
  place = await createDatabase()
})
afterAll(() => place.remove())

/** A statement that is another one for each value. */
const insert = (value: string) => `insert into settings (name, value) values ($1, '${value}')`

/** No other session reads or writes the settings until the connection ends. */
async function keepSettings(): Promise<Connection> {
  const connection = await openConnection(place.address, noLimits)
  await connection.send('begin')
  await connection.send('lock table settings in access exclusive mode')
  return connection
}

/** Ends the connection that waits for the settings, once it does. */
async function endWaiting({ send }: Connection): Promise<void> {
  for (;;) {
    const ended = await send(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (ended.length > 0) return
  }
}

const settled = (works: Promise<unknown>[]) =>
  Promise.allSettled(works).then((outcomes) =>
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value)),
  )

describe('a connection that is lost', () => {
  test('fails everything that was sent on it, also what the driver has kept back', async () => {
    const connection = await openConnection(place.address, noLimits)
    const keeper = await keepSettings()
    // Of each of these the driver first asks for its types, and lets those behind it wait.
    const answers = settled(
      ['a', 'b', 'c', 'd'].map((name) => connection.send(insert(name), [name])),
    )
    await endWaiting(keeper)
    expect(await answers).toEqual(Array(4).fill(expect.any(LostConnection)))
    await Promise.all([connection.end(), keeper.end()])
  })

  test('keeps none of the statements that a transaction has sent together', async () => {
    const connection = await openConnection(place.address, noLimits)
    const keeper = await keepSettings()
    const { together, failure, rollback } = beginSession(connection, 'begin')
    const answers = settled(['a', 'b', 'c'].map((name) => together.run(insert(name), [name])))
    await endWaiting(keeper)
    expect(await answers).toEqual(Array(3).fill(expect.any(LostConnection)))
    expect(failure()).toBeInstanceOf(LostConnection)
    await rollback()
    await Promise.all([connection.end(), keeper.end()])
  })

  test('lets writes that shared its transaction be done on another', async () => {
    const database = await openPostgres(place.address)
    const options = { owner: 'one', isShort: true, kind: 'write' }
    const write = (value: string, name: string) =>
      database.transaction(({ run }) => run(insert(value), [name]), options)
    await Promise.all(['a', 'b', 'c'].map((name) => write('known', name)))
    const keeper = await keepSettings()
    const answers = settled(['d', 'e', 'f', 'g'].map((name) => write('unknown', name)))
    await endWaiting(keeper)
    await keeper.end()
    expect(await answers).toEqual([1, 1, 1, 1])
    const rows = await database.single.all<{ name: string }>('select name from settings order by 1')
    expect(rows.map(({ name }) => name).filter((name) => name.length === 1)).toEqual([...'abcdefg'])
    await database.close()
  })

  test('lets single reads that shared it be done on another', async () => {
    const database = await openPostgres(place.address)
    const read = (name: string) =>
      database.read(({ first }) => first('select name from settings where name = $1', [name]), {
        isSingle: true,
      })
    await database.transaction(({ run }) => run(insert('kept'), ['kept']), {})
    await read('kept')
    const keeper = await keepSettings()
    const answers = settled([read('kept'), read('nothing'), read('kept')])
    await endWaiting(keeper)
    await keeper.end()
    expect(await answers).toEqual([{ name: 'kept' }, undefined, { name: 'kept' }])
    await database.close()
  })
})

test('statements that are sent together fail behind the one that fails, and are undone', async () => {
  const connection = await openConnection(place.address, noLimits)
  const { together, failure, commit, rollback } = beginSession(connection, 'begin')
  const answers = await settled([
    together.run(insert('h'), ['h']),
    together.run('insert into settings (name) values ($1)', ['no value']),
    together.run(insert('i'), ['i']),
  ])
  expect(answers).toEqual([1, expect.any(Error), expect.any(Error)])
  expect(failure()).toBe(answers[1])
  await expect(commit()).rejects.toThrow('not committed')
  await rollback()
  expect(await connection.send("select 1 from settings where name in ('h', 'i')")).toHaveLength(0)
  await connection.end()
})

describe('single reads', () => {
  test('that come without end leave the only connection to a write', async () => {
    const database = await openPostgres(`${place.address}&max=1`)
    let isWritten = false
    const readOn = async (): Promise<void> => {
      while (!isWritten) {
        await database.read(({ first }) => first('select 1 as one'), { isSingle: true })
      }
    }
    const reading = Promise.all([readOn(), readOn(), readOn()])
    await database.transaction(({ run }) => run(insert('late'), ['late']))
    isWritten = true
    await reading
    await database.close()
  })

  test('do not wait for one that takes long', async () => {
    const database = await openPostgres(place.address)
    const read = (sql: string) => database.read(({ first }) => first(sql), { isSingle: true })
    const [slow, quick] = ['select pg_sleep(1)::text as slept', 'select 1 as one']
    await Promise.all([read(slow), read(quick)])
    let isSlowDone = false
    const slowly = read(slow).then(() => {
      isSlowDone = true
    })
    await sleep(50)
    expect(await read(quick)).toEqual({ one: 1 })
    expect(isSlowDone).toBe(false)
    await slowly
    await database.close()
  })
})
