import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queries } from './db/database.ts'
import type { ErrorContext } from './errors.ts'
import type { AnyOperationId } from './operation.ts'
import { toTimestamp } from './time.ts'
import { currentVersion, describeOperation } from './versions.ts'

interface Call {
  operationId: AnyOperationId
  context: ErrorContext
  status: number
  errorCode: string | null
  version: string
  /** In ms. */
  duration: number
  /** The client's time in ms. */
  now: number
}

/** A call with its place among those of its client. */
interface Noted {
  sequence: number
  call: Call
}

interface Row {
  clientId: string
  sequence: number
  entry: string
}

/** Keeps the latest calls of each client, without anything of their bodies. */
export interface RequestLog {
  add(clientId: string, call: Call): void
  /** Writes what was added so far, and waits for what others write. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const keptCalls = 500
const flushAfter = 1000
/** Where other processes have entries, too: a list waits for theirs. */
const flushAfterBesideOthers = 50
/** Where many come, fewer of them are written, since the next ones push them out. */
const many = { calls: 100, flushAfter: 150 }
const lowDigits = 4096

/** A log that does nothing, for production. */
export const noRequestLog: RequestLog = {
  add: () => {},
  flush: async () => {},
  stop: async () => {},
}

/** Writes calls in batches a moment after them, so that none waits for its entry. */
export function createRequestLog(database: Database, clock: () => number): RequestLog {
  let waiting = new Map<string, Noted[]>()
  let timer: NodeJS.Timeout | undefined
  let [count, last] = [0, 0]
  const delay = database.shared ? flushAfterBesideOthers : flushAfter
  let writing: Promise<void> = Promise.resolve()
  let isBusy = false

  /** One batch after the other; whoever waits for one waits for those before it, too. */
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = new Map()
    if (batch.size === 0) return
    const rows = await toRows(batch)
    isBusy = rows.length >= many.calls
    await database.transaction(async (db) => {
      for (let first = 0; first < rows.length; first += rowsAtOnce) {
        await insertRows(db, rows.slice(first, first + rowsAtOnce))
      }
      for (const clientId of batch.keys()) {
        await db.run(
          `delete from request_log where client_id = $1 and sequence <=
             (select sequence from request_log where client_id = $1
               order by sequence desc limit 1 offset $2)`,
          [clientId, keptCalls],
        )
      }
    }, rowByRow)
  }

  return {
    add(clientId, call) {
      count += 1
      // A clock that is set back must not put the latest calls behind those before them.
      last = Math.max(last + 1, clock() * lowDigits + (count % lowDigits))
      const noted = waiting.get(clientId)
      if (noted) noted.push({ sequence: last, call })
      else waiting.set(clientId, [{ sequence: last, call }])
      if (noted && noted.length >= 2 * keptCalls) noted.splice(0, keptCalls)
      // Calls that could not be noted are no reason to end.
      const pause = isBusy ? Math.max(delay, many.flushAfter) : delay
      timer ??= setTimeout(() => void flush().catch(() => {}), pause).unref()
    },
    async flush() {
      await flush()
      if (database.shared) await sleep(2 * many.flushAfter)
    },
    stop: flush,
  }
}

/** What is to be kept of those that wait: writing more would be for nothing. */
const toRows = (batch: ReadonlyMap<string, readonly Noted[]>): Promise<Row[]> =>
  Promise.all(
    [...batch].flatMap(([clientId, noted]) =>
      noted.slice(-keptCalls).map(async ({ sequence, call }) => ({
        clientId,
        sequence,
        entry: await toEntry(call),
      })),
    ),
  )

/** Entries that meet each other are nothing to either. */
const rowByRow = { isolation: 'row' } as const

/** Few numbers of rows, and so few statements to prepare. */
const rowsAtOnce = 50
const places = Array.from({ length: rowsAtOnce }, (_, row) =>
  [1, 2, 3].map((column) => `$${3 * row + column}`).join(', '),
)
const insertFull = `insert into request_log (client_id, sequence, entry)
  values ${places.map((row) => `(${row})`).join(', ')}
  on conflict (client_id, sequence) do nothing returning client_id, sequence`

async function insertRows(db: Queries, rows: readonly Row[]): Promise<void> {
  const isFull = rows.length === rowsAtOnce
  const values = rows.flatMap(({ clientId, sequence, entry }) => [clientId, sequence, entry])
  const written = isFull
    ? await db.all<{ client_id: string; sequence: number }>(insertFull, values)
    : []
  const done = new Set(written.map(({ client_id, sequence }) => `${sequence} ${client_id}`))
  for (const row of rows) {
    if (!done.has(`${row.sequence} ${row.clientId}`)) await insertRow(db, row)
  }
}

async function insertRow(db: Queries, { clientId, sequence, entry }: Row): Promise<void> {
  // Two processes may have chosen the same number; whoever is later takes the next free one.
  for (let place = sequence; ; place = (await findLast(db, clientId)) + 1) {
    const written = await db.run(
      `insert into request_log (client_id, sequence, entry) values ($1, $2, $3)
        on conflict (client_id, sequence) do nothing`,
      [clientId, place, entry],
    )
    if (written > 0) return
  }
}

async function findLast(db: Queries, clientId: string): Promise<number> {
  const sql = 'select max(sequence) as last from request_log where client_id = $1'
  return (await db.first<{ last: number | null }>(sql, [clientId]))?.last ?? 0
}

async function toEntry(call: Call): Promise<string> {
  const { operation } = await describeOperation(call.operationId, currentVersion)
  return JSON.stringify({
    at: toTimestamp(call.now),
    request_id: call.context.requestId,
    path: operation.path,
    version: call.version || currentVersion,
    status: call.status,
    error_code: call.errorCode,
    duration_ms: call.duration,
  })
}
