import type { Database, Queries, Value } from '../../src/server/kernel/database.ts'
import type { RecordedStatement } from './recorded-statements.ts'

/** A step of a plan, as far as it is looked at here. */
interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Index Cond'?: string
  Plans?: Step[]
}

/** More rows than any page of an answer has, and less than any large table. */
const mostRows = 2500

/** After so many times the server may choose a plan for any values. */
const tries = 5

/** What the server's plans of a statement do that takes longer the more rows there are. */
export async function judgePostgres(
  database: Database,
  { sql, values }: RecordedStatement,
  large: ReadonlySet<string>,
): Promise<string[]> {
  const plan = await explain(database, sql, values.at(-1) ?? [])
  return faultsOf(plan, large, await firstColumnsOf(database))
}

/** The first column of each index. */
async function firstColumnsOf({ single }: Database): Promise<Map<string, string>> {
  const rows = await single.all<{ index: string; column: string }>(
    `select i.indexrelid::regclass::text as index, a.attname::text as column
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid::regclass::text not like 'pg_%'`,
  )
  return new Map(rows.map(({ index, column }) => [index, column]))
}

class Undo extends Error {}

/** The plan that a connection keeps, with what it does where it can be run once more. */
async function explain(database: Database, sql: string, values: readonly Value[]): Promise<Step> {
  // What is written again would meet its own key.
  const options = /^\s*insert/i.test(sql) ? 'format json' : 'analyze, format json'
  let plan: Step | undefined
  const work = async (db: Queries) => {
    await db.run(`prepare explained as ${sql}`)
    try {
      const list = values.length > 0 ? `(${values.map(toLiteral).join(', ')})` : ''
      for (let count = 0; count < tries; count += 1)
        await db.run(`explain execute explained ${list}`)
      const rows = await db.all<{ 'QUERY PLAN': { Plan: Step }[] }>(
        `explain (${options}) execute explained ${list}`,
      )
      plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    } finally {
      await db.run('deallocate explained')
    }
    throw new Undo()
  }
  await database.transaction(work, { isolation: 'row' }).catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
  if (!plan) throw new Error(`no plan of ${sql}`)
  return plan
}

const toLiteral = (value: Value): string =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`

const rowsOf = (step: Step): number => (step['Actual Rows'] ?? 0) * (step['Actual Loops'] ?? 1)

/** Whether an index is searched by columns of which the first is none: so all of it is read. */
function skipsFirst(step: Step, firstColumns: ReadonlyMap<string, string>): boolean {
  const { 'Index Name': index = '', 'Index Cond': condition } = step
  return condition !== undefined && !condition.includes(firstColumns.get(index) ?? '')
}

/** Whether all of a table is read, be it by an index. A limit above it ends that early. */
const isScan = ({ 'Node Type': type, 'Index Cond': condition }: Step, isLimited: boolean) =>
  type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && !condition && !isLimited)

function faultsOf(
  step: Step,
  large: ReadonlySet<string>,
  firstColumns: ReadonlyMap<string, string>,
  isLimited = false,
): string[] {
  const { 'Node Type': type, Plans: below = [] } = step
  const table = step['Relation Name'] ?? ''
  const name = [type, step['Index Name'], table].filter(Boolean).join(' ')
  const removed =
    (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)
  const read = rowsOf(step) + removed * (step['Actual Loops'] ?? 1)
  const sorted = type.includes('Sort') ? Math.max(0, ...below.map(rowsOf)) : 0
  return [
    ...(isScan(step, isLimited) && large.has(table) ? [name] : []),
    ...(read > mostRows ? [`${name} reads ${read} rows`] : []),
    ...(sorted > mostRows ? [`${name} sorts ${sorted} rows`] : []),
    ...(skipsFirst(step, firstColumns) ? [`${name} from its first row`] : []),
    ...below.flatMap((one) => faultsOf(one, large, firstColumns, type === 'Limit')),
  ]
}
