import { setTimeout as sleep } from 'node:timers/promises'
import type { WireRequest } from './check-request.ts'
import type { Database, Queries } from './db/database.ts'
import type { ErrorContext } from './errors.ts'
import { toTimestamp } from './time.ts'
import { currentVersion, describeOperation } from './versions.ts'

interface Call {
  request: WireRequest
  context: ErrorContext
  status: number
  errorCode: string | null
  version: string
  /** In ms. */
  duration: number
  /** The client's time in ms. */
  now: number
}

/** Keeps the latest calls of each client, without anything of their bodies. */
export interface RequestLog {
  add(clientId: string, call: Call): void
  /** Writes what was added so far, and waits for what others write. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const keptCalls = 500
const flushAfter = 200
/** Where other processes have entries, too: a list waits for theirs. */
const flushAfterBesideOthers = 50
const lowDigits = 4096

/** A log that does nothing, for production. */
export const noRequestLog: RequestLog = {
  add: () => {},
  flush: async () => {},
  stop: async () => {},
}

/** Writes calls in batches a moment after them, so that none waits for its entry. */
export function createRequestLog(database: Database, clock: () => number): RequestLog {
  let entries: { clientId: string; sequence: number; entry: Promise<string> }[] = []
  let timer: NodeJS.Timeout | undefined
  let [count, last] = [0, 0]
  const delay = database.shared ? flushAfterBesideOthers : flushAfter
  let writing: Promise<void> = Promise.resolve()

  /** One batch after the other; whoever waits for one waits for those before it, too. */
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = entries
    entries = []
    if (batch.length === 0) return
    const texts = await Promise.all(batch.map(({ entry }) => entry))
    await database.transaction(async (db) => {
      for (const [index, { clientId, sequence }] of batch.entries()) {
        await insertEntry(db, clientId, sequence, texts[index] ?? '')
      }
      for (const clientId of new Set(batch.map((entry) => entry.clientId))) {
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
      const sequence = last
      entries.push({ clientId, sequence, entry: toEntry(call) })
      // Calls that could not be noted are no reason to end.
      timer ??= setTimeout(() => void flush().catch(() => {}), delay).unref()
    },
    async flush() {
      await flush()
      if (database.shared) await sleep(2 * delay)
    },
    stop: flush,
  }
}

/** Entries that meet each other are nothing to either. */
const rowByRow = { isolation: 'row' } as const

async function insertEntry(
  db: Queries,
  clientId: string,
  sequence: number,
  entry: string,
): Promise<void> {
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
  const { operation } = await describeOperation(call.request.operationId, currentVersion)
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
