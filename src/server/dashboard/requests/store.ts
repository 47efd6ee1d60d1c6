import type { Queries, Value } from '../../kernel/database.ts'
import { type CallPlace, endOfRowsWith } from '../../pipeline/request-log-store.ts'

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

export interface EntriesRow {
  entries: string
  sequence: number
  request_id: string
}

/** The place of a row among the others: that of its last call. */
export type RowPlace = Pick<EntriesRow, 'sequence' | 'request_id'>

/** No name of an operation, code or Item has a sign that `like` treats specially, but for this one. */
const literally = (text: string): string => text.replaceAll('_', '\\_')

/** Rows of calls before a place, the latest first. */
export function listEntries(
  db: Queries,
  clientId: string,
  { parts, requestId, from, to }: CallSearch,
  below: RowPlace,
  limit: number,
): Promise<EntriesRow[]> {
  const values: Value[] = [clientId, below.sequence, below.request_id, limit]
  const place = (value: Value) => `$${values.push(value)}`
  const isIn = (part: string) => `terms like ${place(`%${literally(part)}%`)} escape '\\'`
  const found = parts.map((some) => ` and (${some.map(isIn).join(' or ')})`)
  if (requestId !== undefined) found.push(` and ids like ${place(`%|${requestId}|%`)}`)
  if (from !== undefined) found.push(` and last_at >= ${place(from)}`)
  if (to !== undefined) found.push(` and first_at < ${place(to)}`)
  return db.all<EntriesRow>(
    `select entries, sequence, request_id from request_log
      where client_id = $1 and (sequence, request_id) < ($2, $3)${found.join('')}
      order by sequence desc, request_id desc limit $4`,
    values,
  )
}

/**
 * The rows from a place on that can hold calls before it. Each process writes rows of its own, so
 * there may be one of each.
 */
export const listRowsAcross = (db: Queries, clientId: string, sequence: number) =>
  db.all<EntriesRow>(
    `select entries, sequence, request_id from request_log
      where client_id = $1 and sequence >= $2 and sequence < $3`,
    [clientId, sequence, endOfRowsWith(sequence)],
  )

/** The row that holds a call. */
export const findRowOf = (db: Queries, clientId: string, requestId: string) =>
  db.first<{ entries: string; bodies: string | null }>(
    `select entries, bodies from request_log where client_id = $1 and ids like $2
      order by sequence desc limit 1`,
    [clientId, `%|${requestId}|%`],
  )
