import type { Database } from '../../src/server/kernel/database.ts'
import type { RecordedStatement } from './recorded-statements.ts'

/** Where a name in a plan comes from: an alias, or the table itself. */
function tableOf(sql: string, name: string): string {
  const alias = new RegExp(`\\b(?:from|join|update|into)\\s+(\\w+)\\s+(?:as\\s+)?${name}\\b`, 'i')
  return alias.exec(sql)?.[1] ?? name
}

/** Whether a statement wants one end of what a client has, in the order of an index. */
async function readsEnd(database: Database, sql: string, index: string): Promise<boolean> {
  const columns = await database.single.all<{ name: string }>(`pragma index_info(${index})`)
  const [, next] = columns.map(({ name }) => name)
  // Of a key that is the client alone there is one row.
  if (next === undefined) return true
  return new RegExp(`\\b(max|min)\\((\\w+\\.)?${next}\\)|order by (\\w+\\.)?${next}\\b`).test(sql)
}

/** What a plan of the embedded engine does that takes longer the more rows there are. */
export async function judgeSqlite(
  database: Database,
  { sql, values }: RecordedStatement,
  large: ReadonlySet<string>,
): Promise<string[]> {
  const steps = await database.single.all<{ detail: string }>(
    `explain query plan ${sql}`,
    values.at(-1) ?? [],
  )
  const faults: string[] = []
  for (const { detail } of steps) {
    const [, verb = '', name = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)/.exec(detail) ?? []
    if (detail.startsWith('USE TEMP B-TREE')) faults.push(detail)
    if (!large.has(tableOf(sql, name))) continue
    const [, index = ''] = / INDEX (\w+) \(client_id=\?\)$/.exec(rest) ?? []
    if (verb === 'SCAN' || rest.includes('ANY(')) faults.push(detail)
    else if (index !== '' && !(await readsEnd(database, sql, index))) faults.push(detail)
  }
  return faults
}
