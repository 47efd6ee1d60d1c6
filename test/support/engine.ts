import { createHash, randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { root } from '../../scripts/contract/contract.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { asAdmin, urlOf } from './postgres-server.ts'

/** Which store the tests of the service run on: `sqlite` or `postgres`. */
export const engine = process.env['TEST_ENGINE'] ?? 'sqlite'

/** Where data is that outlives a service. */
export interface Place {
  address: string
  remove(): Promise<void>
}

/** A new database of the engine under test. */
export async function createPlace(): Promise<Place> {
  if (engine === 'postgres') return createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'place-'))
  return {
    address: join(folder, 'service.sqlite'),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** Opens the database at an address. */
export const openPlace = async (address: string): Promise<Database> =>
  address.startsWith('postgres:') ? openPostgres(address) : openSqlite(address)

/** What a store holds from the start: made once, and then copied for each test that wants it. */
export interface Content {
  /** Another one for another content. */
  name: string
  fill(database: Database): Promise<void>
}

/** A store of the engine under test, opened for as many services as can share it. */
export async function openTestStore(
  content: Content = migrated(),
): Promise<{ databases: Database[]; remove(): Promise<void> }> {
  if (engine === 'sqlite') return { databases: [await openImage(content)], remove: async () => {} }
  const { address, remove } = await createDatabase(content)
  return { databases: [await openPostgres(address), await openPostgres(address)], remove }
}

const images = new Map<string, Promise<Uint8Array>>()

async function openImage(content: Content): Promise<Database> {
  const image = images.get(content.name) ?? makeImage(content)
  images.set(content.name, image)
  const database = openSqlite(':memory:')
  await database.load(await image)
  return database
}

async function makeImage({ fill }: Content): Promise<Uint8Array> {
  const database = openSqlite(':memory:')
  await fill(database)
  const image = await database.image()
  await database.close()
  return image
}

let tables: Content | undefined

/** The tables alone. */
function migrated(): Content {
  if (tables) return tables
  const hash = createHash('sha256')
  const files = globSync(join(root, 'src/server/db/{migrations/*.sql,*.ts}'))
  for (const file of files.sort()) hash.update(readFileSync(file))
  tables = { name: hash.digest('hex').slice(0, 12), fill: migrate }
  return tables
}

/** A database of a test's own, which several services may open: a copy of a template. */
export async function createDatabase(content: Content = migrated()): Promise<Place> {
  const name = `test_${process.pid}_${randomBytes(8).toString('hex')}`
  await asAdmin(async (sql) => {
    const template = await prepareTemplate(sql, content)
    await sql.unsafe(`create database ${name} template ${template} ${await copyStrategy(sql)}`)
  })
  return {
    // What a power cut would take need not be waited for.
    address: `${urlOf(name)}?synchronous_commit=off`,
    remove: () => asAdmin(async (sql) => void (await sql.unsafe(`drop database ${name} (force)`))),
  }
}

/** Copying files takes a tenth of the time, on a server that does not wait for its disk. */
async function copyStrategy(sql: Sql): Promise<string> {
  const [row] = await sql<{ isQuick: boolean }[]>`
    select current_setting('fsync') = 'off'
      and current_setting('server_version_num')::int >= 150000 as "isQuick"`
  return row?.isQuick ? 'strategy file_copy' : ''
}

const templatePrefix = 'test_template_'

/** Makes the template of a content, unless another file's test was first; its name. */
async function prepareTemplate(sql: Sql, content: Content): Promise<string> {
  const name = `${templatePrefix}${content.name}`
  const found = () => sql`select 1 from pg_database where datname = ${name}`
  if ((await found()).length > 0) return name
  await sql`select pg_advisory_lock(4711)`
  if ((await found()).length === 0) await makeTemplate(sql, content)
  return name
}

// Those of other states of the sources, since runs of several checkouts share a server.
const keptTemplates = 8

/** It gets its name when it is finished; the oldest ones go, and what runs have left that were killed. */
async function makeTemplate(sql: Sql, { name, fill }: Content): Promise<void> {
  const unfinished = `${templatePrefix}unfinished`
  await sql.unsafe(`drop database if exists ${unfinished} (force)`)
  await sql.unsafe(`create database ${unfinished}`)
  const database = await openPostgres(urlOf(unfinished))
  await fill(database)
  await database.close()
  await sql.unsafe(`alter database ${unfinished} rename to ${templatePrefix}${name}`)
  const all = await sql<{ datname: string }[]>`
    select datname from pg_database where datname like 'test\\_%' order by oid desc`
  const templates = all.filter(({ datname }) => datname.startsWith(templatePrefix))
  const left = all.filter(({ datname }) => isLeft(datname))
  for (const { datname } of [...templates.slice(keptTemplates), ...left]) {
    // A copy that is in progress may finish.
    await sql.unsafe(`drop database if exists ${datname}`).catch(() => {})
  }
}

/** Whether the process is gone that a database is named after. */
function isLeft(name: string): boolean {
  const [, pid] = /^test_(?:[a-z]+_)?(\d{2,8})(?:_|$)/.exec(name) ?? []
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch {
    return true
  }
}
