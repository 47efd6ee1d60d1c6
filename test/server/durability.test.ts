import { describe, expect, test } from 'vitest'
import { findRisks } from '../../src/server/db/durability.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import type { Queries } from '../../src/server/kernel/database.ts'
import { createDatabase, engine } from '../support/engine.ts'
import { asAdmin } from '../support/postgres-server.ts'

/** What is logged about a database that is opened by this address. */
async function risksAt(address: string): Promise<string[]> {
  const database = await openPostgres(address)
  try {
    return await findRisks(database)
  } finally {
    await database.close()
  }
}

/** The risks of the whole server: one that was started for tests need not wait for its disk. */
async function risksOfServer(): Promise<string[]> {
  const [row] = await asAdmin((sql) => sql`show fsync`)
  return row?.['fsync'] === 'off' ? ['fsync is off: a power cut can destroy the database'] : []
}

describe.runIf(engine === 'postgres')('a server that may forget what it has confirmed', () => {
  const told =
    'synchronous_commit is off: a crash of the database server can lose the last moments of what was answered'

  test('is told where the address asks for it, and where its database is set so', async () => {
    const { address, remove } = await createDatabase()
    const always = await risksOfServer()
    expect(await risksAt(address)).toEqual([...always, told])
    const plain = address.split('?')[0] as string
    expect(await risksAt(plain)).toEqual(always)
    const name = new URL(plain).pathname.slice(1)
    await asAdmin((sql) => sql.unsafe(`alter database ${name} set synchronous_commit = off`))
    expect(await risksAt(plain)).toEqual([...always, told])
    await remove()
  })
})

describe.runIf(engine === 'sqlite')('a commit of the embedded store', () => {
  let asked = 0
  /** Whether it waits for the disk. A new text each time: a statement keeps what it was compiled with. */
  const readsDurable = async ({ first }: Queries): Promise<boolean> => {
    asked += 1
    const row = await first<{ synchronous: number }>(`pragma synchronous -- ${asked}`)
    return row?.synchronous === 2
  }

  test('waits for the disk unless all that it holds may be lost', async () => {
    const database = openSqlite(':memory:')
    const mayBeLost = () => database.transaction(readsDurable, { mayBeLost: true })
    const mustStay = () => database.transaction(readsDurable)
    expect(await mayBeLost()).toBe(false)
    expect(await mustStay()).toBe(true)
    expect(await Promise.all([mayBeLost(), mayBeLost()])).toEqual([false, false])
    expect(await Promise.all([mayBeLost(), mustStay(), mayBeLost()])).toEqual([true, true, true])
    const failing = () => Promise.reject(new Error('it failed'))
    await expect(database.transaction(failing, { mayBeLost: true })).rejects.toThrow('it failed')
    expect(await mustStay()).toBe(true)
    await database.close()
  })
})

test('the embedded store never is', async () => {
  const database = openSqlite(':memory:')
  expect(await findRisks(database)).toEqual([])
  await database.close()
})
