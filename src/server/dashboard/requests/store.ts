import type { Queries, Value } from '../../kernel/database.ts'
import type { CallPlace } from '../../pipeline/request-log-store.ts'

/** Which rows can hold calls that are asked for. */
export interface CallSearch {
  /** Where the page before has ended. */
  before: CallPlace | undefined
  /** The terms of a row have one text of each list. */
  parts: readonly (readonly string[])[]
  requestId: string | undefined
  from: string | undefined
  to: string | undefined
}

interface EntriesRow {
  entries: string
}

/** No name of an operation, code or Item has a sign that `like` treats specially, but for this one. */
const literally = (text: string): string => text.replaceAll('_', '\\_')

/** Rows of calls before a sequence number, the latest first. */
export function listEntries(
  db: Queries,
  clientId: string,
  { parts, requestId, from, to }: CallSearch,
  below: number,
  limit: number,
): Promise<EntriesRow[]> {
  const values: Value[] = [clientId, below, limit]
  const place = (value: Value) => `$${values.push(value)}`
  const isIn = (part: string) => `terms like ${place(`%${literally(part)}%`)} escape '\\'`
  const found = parts.map((some) => ` and (${some.map(isIn).join(' or ')})`)
  if (requestId !== undefined) found.push(` and ids like ${place(`%|${requestId}|%`)}`)
  if (from !== undefined) found.push(` and last_at >= ${place(from)}`)
  if (to !== undefined) found.push(` and first_at < ${place(to)}`)
  return db.all<EntriesRow>(
    `select entries from request_log
      where client_id = $1 and sequence < $2${found.join('')} order by sequence desc limit $3`,
    values,
  )
}

/** The row that the last call of a page is in: it may hold earlier ones as well. */
export const listRowsFrom = (db: Queries, clientId: string, sequence: number) =>
  db.all<EntriesRow>(
    `select entries from request_log
      where client_id = $1 and sequence >= $2 order by sequence limit 2`,
    [clientId, sequence],
  )

/** The row that holds a call. */
export const findRowOf = (db: Queries, clientId: string, requestId: string) =>
  db.first<{ entries: string; bodies: string | null }>(
    `select entries, bodies from request_log where client_id = $1 and ids like $2
      order by sequence desc limit 1`,
    [clientId, `%|${requestId}|%`],
  )
