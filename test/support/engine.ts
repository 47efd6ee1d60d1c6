import { createHash, randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { root } from '../../scripts/contract.ts'
import type { Database } from '../../src/server/db/database.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { asAdmin, urlOf } from './postgres-server.ts'

/** Which store the tests of the service run on: `sqlite` or `postgres`. */
export const engine = process.env['TEST_ENGINE'] ?? 'sqlite'

/** Where data is that outlives a service. */
export interface Place {
  address: string
  remove(): Promise<void>
}

/** A new place of the engine under test. */
export async function createPlace(): Promise<Place> {
  if (engine === 'postgres') return createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'place-'))
  return {
    address: join(folder, 'service.sqlite'),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** Opens what is at a place. */
export const openPlace = async (address: string): Promise<Database> =>
  address.startsWith('postgres:') ? openPostgres(address) : openSqlite(address)

/** An empty store of the engine under test, opened for as many services as can share it. */
export async function openTestStore(): Promise<{ databases: Database[]; remove(): Promise<void> }> {
  if (engine === 'sqlite') return { databases: [openSqlite(':memory:')], remove: async () => {} }
  const { address, remove } = await createDatabase()
  return { databases: [await openPostgres(address), await openPostgres(address)], remove }
}

/** A database of a test's own, which several services may open: a copy of the migrated template. */
export async function createDatabase(): Promise<Place> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(async (sql) => {
    const template = await prepareTemplate(sql)
    await sql.unsafe(`create database ${name} template ${template}`)
  })
  return {
    // What a power cut would take need not be waited for.
    address: `${urlOf(name)}?synchronous_commit=off`,
    remove: () => asAdmin(async (sql) => void (await sql.unsafe(`drop database ${name} (force)`))),
  }
}

const templatePrefix = 'test_template_'

/** Makes the template of these migrations, unless another file's test was first; its name. */
async function prepareTemplate(sql: Sql): Promise<string> {
  const hash = createHash('sha256')
  const files = globSync(join(root, 'src/server/db/{migrations/*.sql,*.ts}'))
  for (const file of files.sort()) hash.update(readFileSync(file))
  const name = `${templatePrefix}${hash.digest('hex').slice(0, 12)}`
  const found = () => sql`select 1 from pg_database where datname = ${name}`
  if ((await found()).length > 0) return name
  await sql`select pg_advisory_lock(4711)`
  if ((await found()).length === 0) await makeTemplate(sql, name)
  return name
}

/** It gets its name when it is finished, and those of other migrations go. */
async function makeTemplate(sql: Sql, name: string): Promise<void> {
  const unfinished = `${templatePrefix}unfinished`
  await sql.unsafe(`drop database if exists ${unfinished} (force)`)
  await sql.unsafe(`create database ${unfinished}`)
  const database = await openPostgres(urlOf(unfinished))
  await migrate(database)
  await database.close()
  const old = await sql`select datname from pg_database where datname like ${`${templatePrefix}%`}`
  for (const { datname } of old) {
    if (datname !== unfinished) await sql.unsafe(`drop database if exists ${datname}`)
  }
  await sql.unsafe(`alter database ${unfinished} rename to ${name}`)
}
