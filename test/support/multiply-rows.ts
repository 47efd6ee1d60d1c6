import { clientTables } from '../../src/server/db/client-tables.ts'
import { readMigrations, statementsOf } from '../../src/server/db/migrate.ts'
import type { Database } from '../../src/server/kernel/database.ts'

/** A table as the migrations make it. */
interface Table {
  name: string
  columns: { name: string; type: string }[]
  /** The columns of each key. */
  keys: string[][]
}

const statements = readMigrations().flatMap(({ sql }) => statementsOf(sql))

const listed = (list: string): string[] =>
  list.split(',').map((part) => part.trim().split(' ')[0] ?? '')

function readTable(name: string): Table {
  const created = statements.find((sql) => sql.startsWith(`create table ${name} (`)) ?? ''
  const added = statements.filter((sql) => sql.startsWith(`alter table ${name} add column `))
  const lines = [
    ...created.split('\n').map((line) => line.trim()),
    ...added.map((sql) => sql.replace(/^.* add column /, '')),
  ]
  const columns = lines.flatMap((line) => {
    const [, column, type] = /^(\w+) (text|integer|bigint)\b/.exec(line) ?? []
    return column && type ? [{ name: column, type }] : []
  })
  const unique = new RegExp(`^create unique index \\w+\\s+on ${name} \\(([^)]*)\\)`)
  const lists = [
    /\bprimary key \(([^)]*)\)/.exec(created)?.[1],
    ...lines.map((line) => /^(\w+) text.*\b(?:primary key|unique)\b/.exec(line)?.[1]),
    ...statements.map((sql) => unique.exec(sql)?.[1]),
  ]
  return { name, columns, keys: lists.flatMap((list) => (list ? [listed(list)] : [])) }
}

/** The columns by which copies differ: of each key one, that of an order if there is one. */
function changing({ keys }: Table): Set<string> {
  const chosen = new Set<string>()
  for (const key of keys) {
    if (key.some((column) => chosen.has(column))) continue
    // Where there is one of a client, the copies are other clients'.
    const column =
      key.find((name) => name === 'sequence') ?? key.find((name) => name !== 'client_id')
    chosen.add(column ?? 'client_id')
  }
  return chosen
}

/** Of some rows a client has only one. */
const conditions: Readonly<Record<string, string>> = { webhook_keys: 'expired_at is not null' }

const afterAll = 1000 * 86_400_000
const longest = 1000
const following = ['bank_transfer_id', 'item_id', 'parent_id']

/**
 * Writes copies of the rows of a table, each under a key of its own, until there are so many; false
 * where there is no row to copy.
 */
async function multiply(database: Database, name: string, least: number): Promise<boolean> {
  const table = readTable(name)
  const where = `where ${conditions[name] ?? '1 = 1'}`
  const [row] = await database.single.all<{ rows: number }>(
    `select count(*) as rows from ${name} ${where}`,
  )
  const rows = row?.rows ?? 0
  if (rows === 0) return false
  const isChanging = changing(table)
  const columns = table.columns.map((column) => column.name)
  const copied = table.columns.map(({ name: column, type }) => {
    // What is due is so after the test, and not all at once.
    if (column === 'due_at') return `${column} + ${afterAll} + 1000 * nth`
    // A payload of its own, which stays a JSON object.
    if (column === 'payload') return `'{"copy": ' || nth || ', ' || substr(payload, 2)`
    // What tells of another row tells of its copy.
    if (following.includes(column)) return `${column} || '_' || nth`
    // A report or a picture need not be there so often.
    if (!isChanging.has(column) && type === 'text') {
      return `case when length(${column}) > ${longest} then '${column === 'entries' ? '[]' : '{}'}' else ${column} end`
    }
    if (!isChanging.has(column)) return column
    return type === 'text'
      ? `${column} || '_' || nth`
      : `${column} - nth * (select max(${column}) - min(${column}) + 1 from ${name})`
  })
  await database.exclusive(({ run }) =>
    run(
      `insert into ${name} (${columns.join(', ')})
        with recursive copies (nth) as (
          select 1 union all select nth + 1 from copies where nth < ${Math.ceil(least / rows)}
        )
        select ${copied.join(', ')} from ${name} cross join copies ${where}`,
    ),
  )
  return true
}

/** Makes every table large, and returns those that have no row to begin with. */
export async function multiplyRows(
  database: Database,
  { but, least }: { but: readonly string[]; least: (table: string) => number },
): Promise<string[]> {
  const empty: string[] = []
  for (const name of ['clients', ...clientTables].filter((table) => !but.includes(table))) {
    if (!(await multiply(database, name, least(name)))) empty.push(name)
  }
  return empty
}
