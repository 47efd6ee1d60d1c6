import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from '../files.ts'
import { type Database, DatabaseError } from './database.ts'

interface Migration {
  number: number
  name: string
  sql: string
}

/** The migrations of this program, oldest first; their files never change after a release. */
function readMigrations(): Migration[] {
  const files = readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => ({
    number: Number.parseInt(file, 10),
    name: file,
    sql: readFileSync(join(migrationsFolder, file), 'utf8'),
  }))
}

/** Brings the schema up to this program; refuses one that a newer program has made. */
export async function migrate(database: Database): Promise<void> {
  const migrations = readMigrations()
  await database.exclusive(async ({ all, run }) => {
    await run(
      'create table if not exists migrations (number integer primary key, name text not null)',
    )
    const applied = await all<{ number: number; name: string }>(
      'select number, name from migrations',
    )
    const newest = migrations.at(-1)?.number ?? 0
    const unknown = applied.find(({ number }) => number > newest)
    if (unknown) {
      throw new DatabaseError(
        `the data was written by a newer version (${unknown.name}); upgrade this one`,
      )
    }
    const done = new Set(applied.map(({ number }) => number))
    for (const { number, name, sql } of migrations.filter((one) => !done.has(one.number))) {
      for (const statement of statements(sql)) await run(statement)
      await run('insert into migrations (number, name) values ($1, $2)', [number, name])
    }
  })
}

/** The tables whose rows belong to clients, as the migrations make them. */
export const clientTables = (): string[] =>
  readMigrations()
    .flatMap(({ sql }) => statements(sql))
    .flatMap((statement) => {
      const [, table] = statement.match(/^create table (\w+) \([^;]*\bclient_id text\b/) ?? []
      return table === undefined || table === 'clients' ? [] : [table]
    })

/** The statements of a file; none of ours holds a semicolon inside. */
const statements = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
