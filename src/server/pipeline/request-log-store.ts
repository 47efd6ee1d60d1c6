import type { Queries } from '../kernel/database.ts'
import type { ResponseOf } from '../kernel/operation.ts'

type Entry = ResponseOf<'sandboxRequestList'>['requests'][number]

/** A call as lists show it, and its position among those of its client. */
export interface KeptCall extends Entry {
  /** Two processes may use the same number. The request id then decides the order. */
  sequence: number
}

/**
 * The number of listed calls per client. A row may keep more, since calls are stored in batches.
 */
export const mostKept = 500

/**
 * Stores calls as one row, in their order. One row for each call took longer than the calls
 * themselves.
 */
export async function insertCalls(
  db: Queries,
  clientId: string,
  calls: readonly KeptCall[],
): Promise<void> {
  const last = calls.at(-1)
  if (!last) return
  await db.run(
    `insert into request_log (client_id, sequence, request_id, calls, entries)
      values ($1, $2, $3, $4, $5)`,
    [clientId, last.sequence, last.request_id, calls.length, JSON.stringify(calls)],
  )
  await db.run(
    `delete from request_log where client_id = $1 and sequence <
       (select max(sequence) from
           (select sequence, sum(calls) over (order by sequence desc) as newest
             from request_log where client_id = $1) as counted
         where newest >= ${mostKept})`,
    [clientId],
  )
}

/** The latest calls of a client, newest first. */
export async function listCalls(db: Queries, clientId: string): Promise<KeptCall[]> {
  const rows = await db.all<{ entries: string }>(
    // Each row has at least one of them.
    `select entries from request_log where client_id = $1 order by sequence desc limit ${mostKept}`,
    [clientId],
  )
  const calls = rows.flatMap(({ entries }) => JSON.parse(entries) as KeptCall[])
  return calls.sort(latestFirst).slice(0, mostKept)
}

/** The position of a call in the list. */
interface CallPlace {
  sequence: number
  request_id: string
}

export const latestFirst = (one: CallPlace, other: CallPlace): number =>
  other.sequence - one.sequence || compareIds(other.request_id, one.request_id)

const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
