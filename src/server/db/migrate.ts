import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Database,
  DatabaseError,
  DatabaseUnavailable,
  type Queries,
} from '../kernel/database.ts'
import { migrationsFolder } from '../kernel/files.ts'
import { findSetting, type SettingName } from './settings-store.ts'

const oldestProgramName: SettingName = 'oldest_program'

interface Migration {
  number: number
  name: string
  sql: string
  /**
   * The oldest program that can run on this schema, by its newest migration. 0 means any program.
   */
  oldestProgram: number
}

/** The migrations of this program, oldest first; their files never change after a release. */
export function readMigrations(): Migration[] {
  const files = readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => ({
    number: Number.parseInt(file, 10),
    name: file,
    // Read only when needed: most starts have nothing to migrate.
    get sql() {
      return readFileSync(join(migrationsFolder, file), 'utf8')
    },
    get oldestProgram() {
      return oldestOf(this.sql)
    },
  }))
}

/** A migration that removes something contains `-- oldest program: 14`. All others only add. */
const oldestOf = (sql: string): number => Number(/^-- oldest program: (\d+)$/m.exec(sql)?.[1] ?? 0)

/** Migrates the schema to this program's version. Fails if the schema needs a newer program. */
export async function migrate(database: Database): Promise<void> {
  const migrations = readMigrations()
  await database.exclusive(async (db) => {
    await db.run(
      'create table if not exists migrations (number integer primary key, name text not null)',
    )
    const applied = await db.all<AppliedMigration>('select number, name from migrations')
    await rejectNewerSchema(db, migrations, applied)
    const done = new Set(applied.map(({ number }) => number))
    for (const migration of migrations.filter(({ number }) => !done.has(number))) {
      await applyMigration(db, migration)
    }
  })
}

/** Rejects data that is not up to date: only a start of the service migrates it. */
export async function rejectEarlierData({ read }: Pick<Database, 'read'>): Promise<void> {
  const find = read(({ first }) =>
    first<{ newest: number | null }>('select max(number) as newest from migrations'),
  )
  const row = await find.catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) throw error
    return undefined
  })
  if ((row?.newest ?? 0) >= (readMigrations().at(-1)?.number ?? 0)) return
  throw new DatabaseError('the data is of an earlier version: start the service on it once')
}

type AppliedMigration = Pick<Migration, 'number' | 'name'>

async function applyMigration(
  db: Queries,
  { number, name, sql, oldestProgram }: Migration,
): Promise<void> {
  for (const statement of statementsOf(sql)) await db.run(statement)
  await db.run('insert into migrations (number, name) values ($1, $2)', [number, name])
  if (oldestProgram === 0) return
  await db.run(
    `insert into settings (name, value) values ($1, $2)
      on conflict (name) do update set value = excluded.value`,
    [oldestProgramName, String(oldestProgram)],
  )
}

/** Additions by a newer program are compatible. Removals are not. */
async function rejectNewerSchema(
  db: Queries,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Promise<void> {
  const known = new Set(migrations.map(({ number }) => number))
  const unknown = applied.filter(({ number }) => !known.has(number)).at(-1)
  if (!unknown) return
  const oldest = Number((await findSetting(db, oldestProgramName)) ?? 0)
  if ((migrations.at(-1)?.number ?? 0) >= oldest) return
  throw new DatabaseError(
    `the data was written by a newer version (${unknown.name}) that this one cannot run beside; upgrade this one`,
  )
}

/** The statements of a file. No statement contains a semicolon. */
export const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
