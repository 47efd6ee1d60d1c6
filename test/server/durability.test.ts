import { describe, expect, test } from 'vitest'
import { findRisks } from '../../src/server/db/durability.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
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

test('the embedded store never is', async () => {
  const database = openSqlite(':memory:')
  expect(await findRisks(database)).toEqual([])
  await database.close()
})
