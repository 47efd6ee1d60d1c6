import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { root } from '../../scripts/contract.ts'
import type { Database } from '../../src/server/db/database.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'

/** Which store the tests of the service run on: `sqlite` or `postgres`. */
export const engine = process.env['TEST_ENGINE'] ?? 'sqlite'

const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'

/** The address of a database beside the one of the tests. */
export function urlOf(name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** An empty store of the engine under test; what it holds goes with it when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  if (engine === 'sqlite') return openSqlite(':memory:')
  const created = await createDatabase()
  const database = await openPostgres(created.url)
  return {
    ...database,
    async close() {
      await database.close()
      await created.drop()
    },
  }
}

/** A database of a test's own on the server, which several services may open. */
export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Copies the migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(async (sql) => {
    const template = await prepareTemplate(sql)
    await sql.unsafe(`create database ${name} template ${template}`)
  })
  return {
    url: urlOf(name),
    drop: () =>
      asAdmin(async (sql) => void (await sql.unsafe(`drop database ${name} with (force)`))),
  }
}

/** Runs statements that stand outside the databases of tests. */
export async function asAdmin<Result>(
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

const templatePrefix = 'test_template_'

/** Makes the template of these migrations, unless another file's test was first; its name. */
async function prepareTemplate(sql: postgres.Sql): Promise<string> {
  const files = globSync(join(root, 'src/server/db/{migrations/*.sql,*.ts}')).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const name = `${templatePrefix}${hash.digest('hex').slice(0, 12)}`
  const isThere = async () =>
    (await sql`select 1 from pg_database where datname = ${name}`).length > 0
  if (await isThere()) return name
  await sql`select pg_advisory_lock(4711)`
  if (await isThere()) return name
  const unfinished = `${templatePrefix}unfinished`
  await sql.unsafe(`drop database if exists ${unfinished} with (force)`)
  await sql.unsafe(`create database ${unfinished}`)
  const database = await openPostgres(urlOf(unfinished))
  await migrate(database)
  await database.close()
  await dropOldTemplates(sql)
  await sql.unsafe(`alter database ${unfinished} rename to ${name}`)
  return name
}

/** Templates of migrations that are no more. */
async function dropOldTemplates(sql: postgres.Sql): Promise<void> {
  const old =
    await sql`select datname from pg_database where datname ~ ${`^${templatePrefix}[0-9a-f]+$`}`
  for (const { datname } of old) await sql.unsafe(`drop database if exists ${datname}`)
}
