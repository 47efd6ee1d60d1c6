import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientTables } from '../../src/server/db/client-tables.ts'
import { migrate, readMigrations, statementsOf } from '../../src/server/db/migrate.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { openTestStore } from '../support/engine.ts'
import { readStatements } from '../support/statements.ts'

// While a service is upgraded, old and new processes work on one database, and an old one may start
// again. So migrations only add, unless they say which programs they leave behind.

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  const { databases, remove } = await openTestStore()
  database = databases[0] as Database
  close = async () => {
    for (const one of databases) await one.close()
    await remove()
  }
})
afterAll(() => close())

describe('the files of migrations', () => {
  const migrations = readMigrations()

  test('have numbers of their own, in the order of their names', () => {
    const numbers = migrations.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
  })

  test('only add, or say the oldest program that can run beside them', () => {
    const taking = migrations.filter(({ sql, oldestProgram }) => {
      return oldestProgram === 0 && statementsOf(sql).some((one) => !isAddition(one, sql))
    })
    expect(taking.map(({ name }) => name)).toEqual([])
  })

  test('leave a program behind only when a later one was there to replace it', () => {
    const rash = migrations.filter(({ number, oldestProgram }) => oldestProgram >= number)
    expect(rash.map(({ name }) => name)).toEqual([])
  })
})

test('the tables of clients are those that migrations make', () => {
  const made = readMigrations()
    .flatMap(({ sql }) => statementsOf(sql))
    .flatMap((sql) => /^create table (\w+) \([^;]*\bclient_id text\b/.exec(sql)?.[1] ?? [])
  expect(['clients', ...clientTables].sort()).toEqual(made.sort())
})

/** Programs rely on these: of two writes at once, one meets them. */
const uniqueIndexes = new Set(
  readMigrations().flatMap(({ sql }) =>
    [...sql.matchAll(/create unique index (\w+)/g)].map(([, name]) => name),
  ),
)

/** What a program that knows nothing of it can live with. */
function isAddition(statement: string, file: string): boolean {
  const text = statement.replaceAll(/\s+/g, ' ')
  if (/^create table \w+ \(/.test(text)) return true
  const [, unique, indexed = ''] = /^create (unique )?index \w+ on (\w+)/.exec(text) ?? []
  // A unique index rejects what older programs may write, unless its table is as new.
  if (indexed) return !unique || isNew(indexed, file)
  const [, , column = ''] = /^alter table (\w+) add column (.*)$/.exec(text) ?? []
  if (column) return !/ (unique|primary key|references|check)\b/.test(column) && hasValue(column)
  const [, dropped = ''] = /^drop index (\w+)$/.exec(text) ?? []
  if (dropped) return !uniqueIndexes.has(dropped)
  const [, filled = ''] = /^insert into (\w+)/.exec(text) ?? []
  return filled !== '' && isNew(filled, file)
}

/** Whether rows can be written that do not name the column. */
const hasValue = (column: string): boolean => !/not null/.test(column) || / default /.test(column)

const isNew = (table: string, file: string): boolean => file.includes(`create table ${table} (`)

describe('what counts as an addition', () => {
  test.each([
    ['create table notes (id text)', true],
    ['create index notes_text on notes (text)', true],
    ['alter table notes add column more text', true],
    ["alter table notes add column more text not null default ''", true],
    ['create unique index notes_text on notes (text)', false],
    ['alter table notes add column more text not null', false],
    ['alter table notes add column more text references items', false],
    ['alter table notes drop column text', false],
    ['alter table notes rename column text to more', false],
    ['alter table notes alter column text set not null', false],
    ['drop index jobs_due', true],
    ['drop index users_user_token', false],
    ['drop table notes', false],
    ['delete from notes', false],
    ["update notes set text = ''", false],
    ["insert into notes (id) values ('1')", false],
  ])('%s: %s', (statement, expected) => {
    expect(isAddition(statement, '')).toBe(expected)
  })
})

describe('statements of the service', () => {
  const statements = readStatements()

  test('name the columns that they read and write, so that more of them do no harm', () => {
    const careless = statements.filter(({ sql }) => {
      const text = sql.replaceAll(/\s+/g, ' ')
      return /select (\w+\.)?\*|returning \*|insert into \w+ (values|select)\b/.test(text)
    })
    expect(careless.map(({ name, file }) => `${file} ${name}`)).toEqual([])
  })
})

describe('a program on a schema that a newer one has migrated', () => {
  const note = (oldest: number) =>
    database.transaction(async ({ run }) => {
      await run('delete from migrations where number = 9999')
      await run("delete from settings where name = 'oldest_program'")
      await run("insert into migrations (number, name) values (9999, '9999-later.sql')")
      if (oldest > 0) {
        const sql = "insert into settings (name, value) values ('oldest_program', $1)"
        await run(sql, [String(oldest)])
      }
    })

  test('starts, as long as that has only added', async () => {
    await note(0)
    await expect(migrate(database)).resolves.toBeUndefined()
  })

  test('starts, if what was taken away is nothing that it uses', async () => {
    await note(readMigrations().at(-1)?.number ?? 0)
    await expect(migrate(database)).resolves.toBeUndefined()
  })

  test('is rejected in one line, if it uses what was taken away', async () => {
    await note(9999)
    const error = await migrate(database).catch((reason: unknown) => reason)
    expect((error as Error).message).toMatch(/newer version \(9999-later\.sql\)/)
    expect((error as Error).message).not.toContain('\n')
  })
})
