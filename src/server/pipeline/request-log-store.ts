import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { FaultEffect } from './injected-fault.ts'

/** A call as lists show it, and its position among those of its client. */
export interface KeptCall {
  /** Two processes may use the same number. The request id then decides the order. */
  sequence: number
  at: string
  request_id: string
  operation_id: string
  path: string
  version: string
  status: number
  error_code: string | null
  duration_ms: number
  item_id: string | null
  /** The call that a user of the dashboard has sent again by this one. */
  resent_from: string | null
  /** What a test had injected into it. */
  injected: FaultEffect | null
}

/** Calls of a client that are stored together, in their order. */
export interface Batch {
  clientId: string
  calls: readonly KeptCall[]
  /** What `bodies` of the row holds. */
  bodies: string | null
  /** In real ms. */
  now: number
  /** How many of the client's calls are stored. */
  mostKept: number
}

/** The sequence number of a call has the time in ms above these. */
export const lowDigits = 4096
/** Between the first and the last call of a row. Calls are written within 1.2 seconds, or later on a slow disk. */
const longestRowMs = 5000
/** A row with a call that is not after this number ends before the result. */
export const endOfRowsWith = (sequence: number): number => sequence + longestRowMs * lowDigits

/** The number of calls that the sandbox API lists. */
export const mostListed = 500
/** More than these, since processes store their calls at the same time: later ones may be in an earlier row. */
const mostRead = 4 * mostListed

/** The text that holds each value between two bars. */
const between = (values: Iterable<string>): string => `|${[...values].join('|')}|`

type TermName = 'operation' | 'outcome' | 'status' | 'error' | 'item'

/** What a call can be looked for by, each as it stands in `terms`. */
function termsOf(call: KeptCall): string[] {
  const values: Record<TermName, string | number | null> = {
    operation: call.operation_id,
    outcome: call.status < 400 ? 'succeeded' : 'failed',
    status: call.status,
    error: call.error_code,
    // Rows of earlier versions have calls without one.
    item: call.item_id ?? null,
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}:${value}`],
  )
}

/** All terms of a call as one text. */
export const termTextOf = (call: KeptCall): string => between(termsOf(call))

/** The part of such a text that says a value. */
export const termPart = (name: TermName, value: string | number): string => `|${name}:${value}|`

/** The part that every status of a class such as `4xx` begins with. */
export const statusClassPart = (name: string): string => `|status:${name.slice(0, 1)}`

/** What several calls can be looked for by. Most calls of a moment are alike. */
function termsIn(calls: readonly KeptCall[]): Set<string> {
  const terms = new Set<string>()
  let known: KeptCall | undefined
  for (const call of calls) {
    if (known && isAlike(call, known)) continue
    known = call
    for (const term of termsOf(call)) terms.add(term)
  }
  return terms
}

const isAlike = (one: KeptCall, other: KeptCall): boolean =>
  one.operation_id === other.operation_id &&
  one.status === other.status &&
  one.error_code === other.error_code &&
  one.item_id === other.item_id

/** A call as a row has it: without the names of fields, which would be half of the row. */
type Entry = readonly [
  sequence: number,
  at: string,
  request_id: string,
  operation_id: string,
  path: string,
  version: string,
  status: number,
  error_code: string | null,
  duration_ms: number,
  item_id: string | null,
  resent_from: string | null,
  injected?: FaultEffect,
]

function toEntry(call: KeptCall): Entry {
  const entry = [
    call.sequence,
    call.at,
    call.request_id,
    call.operation_id,
    call.path,
    call.version,
    call.status,
    call.error_code,
    call.duration_ms,
    call.item_id,
    call.resent_from,
  ] as const
  // Most calls have none, and pay nothing for it.
  return call.injected === null ? entry : [...entry, call.injected]
}

/** The calls of a row. Rows of earlier versions have them as they are. */
export const readEntries = ({ entries }: { entries: string }): KeptCall[] =>
  (JSON.parse(entries) as (Entry | KeptCall)[]).map((entry) =>
    'request_id' in entry ? entry : fromEntry(entry),
  )

function fromEntry(entry: Entry): KeptCall {
  const [sequence, at, request_id, operation_id, path, version, status, ...rest] = entry
  const [error_code, duration_ms, item_id, resent_from, injected = null] = rest
  const call = { sequence, at, request_id, operation_id, path, version, status }
  return { ...call, error_code, duration_ms, item_id, resent_from, injected }
}

/**
 * Stores calls as one row, in their order. One row for each call took longer than the calls
 * themselves.
 */
export async function insertBatch(db: Queries, batch: Batch): Promise<void> {
  const { clientId, calls, bodies, now, mostKept } = batch
  const [first, last] = [calls.at(0), calls.at(-1)]
  if (!first || !last) return
  await db.run(
    `insert into request_log (client_id, sequence, request_id, calls, total, stored_at, first_at,
        last_at, ids, terms, entries, bodies)
      values ($1, $2, $3, $4,
        (select coalesce(max(total), 0) + $12 from request_log where client_id = $1),
        $5, $6, $7, $8, $9, $10, $11)`,
    [
      clientId,
      last.sequence,
      last.request_id,
      calls.length,
      now,
      first.at,
      last.at,
      between(calls.map(({ request_id }) => request_id)),
      between(termsIn(calls)),
      JSON.stringify(calls.map(toEntry)),
      bodies,
      calls.length,
    ],
  )
  await deleteEarliest(db, clientId, mostKept)
}

const deleteEarliest = (db: Queries, clientId: string, mostKept: number): Promise<number> =>
  db.run(
    `delete from request_log where client_id = $1 and total <=
       (select max(total) from request_log where client_id = $1) - $2`,
    [clientId, mostKept],
  )

/** Adds calls to the counts of their hours. */
export async function countCalls(
  db: Queries,
  clientId: string,
  calls: readonly KeptCall[],
): Promise<void> {
  const groups = Map.groupBy(calls, ({ at, operation_id, status, error_code }) =>
    [`${at.slice(0, 13)}:00:00Z`, operation_id, status, error_code ?? ''].join(' '),
  )
  // Sorted, so that two processes lock rows in the same order.
  for (const [key, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const spent = group.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
    const [hour = '', operation_id = '', status, error_code = ''] = key.split(' ')
    const outcome = [operation_id, Number(status), error_code]
    await addCount(db, [clientId, hour, ...outcome, group.length, spent])
  }
}

const addCount = (db: Queries, values: readonly (string | number)[]): Promise<number> =>
  db.run(
    `insert into request_counts
        (client_id, hour, operation_id, status, error_code, calls, duration_ms)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (client_id, hour, operation_id, status, error_code) do update
        set calls = request_counts.calls + excluded.calls,
          duration_ms = request_counts.duration_ms + excluded.duration_ms`,
    values,
  )

/** The latest calls of a client, newest first. */
export async function listCalls(db: Queries, clientId: string): Promise<KeptCall[]> {
  const rows = await db.all<{ entries: string }>(
    // A row has 1 to 200 calls. Its total may be too low: rows of an open transaction are not counted.
    `select entries from request_log where client_id = $1 and sequence >=
       (select min(sequence) from
         (select sequence, sum(calls) over (order by sequence desc, request_id desc
             rows between unbounded preceding and 1 preceding) as later from
           (select sequence, request_id, calls from request_log where client_id = $1
             order by sequence desc, request_id desc limit ${mostListed}) as latest) as counted
         where later is null or later < ${mostRead})
       order by sequence desc limit ${mostListed}`,
    [clientId],
  )
  const calls = rows.flatMap(readEntries)
  return calls.sort(latestFirst).slice(0, mostListed)
}

/** A part of a list: the calls after a place in it, down to a sequence number. */
export interface ListedPart {
  after: CallPlace
  least: number
}

/** The calls of that part, newest first. Those that have come since then are not read. */
export async function listCallsIn(
  db: Queries,
  clientId: string,
  { after, least }: ListedPart,
): Promise<KeptCall[]> {
  const rows = await db.all<{ entries: string }>(
    `select entries from request_log where client_id = $1 and sequence >= $2 and sequence < $3
      order by sequence desc limit ${mostRead}`,
    [clientId, least, endOfRowsWith(after.sequence)],
  )
  const calls = rows.flatMap(readEntries).sort(latestFirst)
  const isIn = (call: KeptCall) => call.sequence >= least && latestFirst(after, call) < 0
  return calls.filter(isIn).slice(0, mostListed)
}

/** The calls of some rows whose last call is after a sequence number, oldest first. */
export async function listCallsAfter(ctx: Context, sequence: number): Promise<KeptCall[]> {
  const rows = await ctx.own.all<{ entries: string }>(
    `select entries from request_log where client_id = $1 and sequence >= $2
      order by sequence limit ${mostListed}`,
    [sequence],
  )
  return rows.flatMap(readEntries).sort((one, other) => latestFirst(other, one))
}

/** The Items of access tokens, by the hashes of these. */
export const listItemsByTokens = (db: Queries, clientId: string, hashes: readonly string[]) =>
  db.all<{ item_id: string; access_token_hash: string }>(
    `select item_id, access_token_hash from items where client_id = $1
      and access_token_hash in (${hashes.map((_, index) => `$${index + 2}`).join(', ')})`,
    [clientId, ...hashes],
  )

/** The position of a call in the list. */
export interface CallPlace {
  sequence: number
  request_id: string
}

export const latestFirst = (one: CallPlace, other: CallPlace): number =>
  other.sequence - one.sequence || compareIds(other.request_id, one.request_id)

const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
