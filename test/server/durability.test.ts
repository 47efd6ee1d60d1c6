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

describe.runIf(engine === 'postgres')('a server that may forget what it has confirmed', () => {
  const told =
    'synchronous_commit is off: a crash of the database server can lose the last moments of what was answered'

  test('is told where the address asks for it, and where its database is set so', async () => {
    const { address, remove } = await createDatabase()
    expect(await risksAt(address)).toEqual([told])
    const plain = address.split('?')[0] as string
    expect(await risksAt(plain)).toEqual([])
    const name = new URL(plain).pathname.slice(1)
    await asAdmin((sql) => sql.unsafe(`alter database ${name} set synchronous_commit = off`))
    expect(await risksAt(plain)).toEqual([told])
    await remove()
  })
})

test('the embedded store never is', async () => {
  const database = openSqlite(':memory:')
  expect(await findRisks(database)).toEqual([])
  await database.close()
})
