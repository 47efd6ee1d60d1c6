import type { Queries } from '../kernel/database.ts'
import type { SandboxResponseOf } from '../kernel/operation.ts'

type Entry = SandboxResponseOf<'sandboxRequestList'>['requests'][number]

/** A call as lists show it, and its place among those of its client. */
export interface KeptCall extends Entry {
  /** Two processes may give the same one; the request's id then tells which is first. */
  sequence: number
}

/** How many calls of a client are told; those that were written with them are kept, too. */
export const mostKept = 500

/** Keeps calls, in their order, as one row: as rows of their own they took longer than to be answered. */
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

/** The latest calls of a client, the last one first. */
export async function listCalls(db: Queries, clientId: string): Promise<KeptCall[]> {
  const rows = await db.all<{ entries: string }>(
    // Each has one of them at least.
    `select entries from request_log where client_id = $1 order by sequence desc limit ${mostKept}`,
    [clientId],
  )
  const calls = rows.flatMap(({ entries }) => JSON.parse(entries) as KeptCall[])
  return calls.sort(latestFirst).slice(0, mostKept)
}

/** What tells where a call is in the list. */
interface CallPlace {
  sequence: number
  request_id: string
}

export const latestFirst = (one: CallPlace, other: CallPlace): number =>
  other.sequence - one.sequence || compareIds(other.request_id, one.request_id)

const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
