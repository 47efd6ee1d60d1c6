import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import type { ErrorContext } from '../kernel/errors.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { toTimestamp } from '../kernel/time.ts'
import { currentVersion, describeOperation } from '../versions/select-version.ts'
import { insertCalls, type KeptCall, mostKept } from './request-log-store.ts'

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

/** A call with its position among those of its client. */
interface Noted {
  sequence: number
  call: Call
}

/** Stores the latest calls of each client, without their bodies. */
export interface RequestLog {
  add(clientId: string, call: Call): void
  /** Writes the pending calls, and waits for those of other processes. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const flushAfter = 1000
/** Used if other processes write entries too: a list waits for theirs. */
const flushAfterBesideOthers = 50
/** Under high load fewer entries are written, since later ones replace them. */
const many = { calls: 100, flushAfter: 150 }
const lowDigits = 4096

/** A log that does nothing, for production. */
export const noRequestLog: RequestLog = {
  add: () => {},
  flush: async () => {},
  stop: async () => {},
}

/** Writes calls in batches shortly after them, so that no call waits for its entry. */
export function createRequestLog(database: Database, clock: () => number): RequestLog {
  let waiting = new Map<string, Noted[]>()
  let timer: NodeJS.Timeout | undefined
  let [count, last] = [0, 0]
  const delay = database.shared ? flushAfterBesideOthers : flushAfter
  let writing: Promise<void> = Promise.resolve()
  let isBusy = false

  /** Writes one batch after the other. A caller also waits for the batches before its own. */
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // Sorted, so that two processes lock rows in the same order.
    const noted = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1))
    waiting = new Map()
    if (noted.length === 0) return
    const batches = await Promise.all(noted.map(toBatch))
    isBusy = batches.reduce((sum, { calls }) => sum + calls.length, 0) >= many.calls
    await database.transaction(async (db) => {
      for (const { clientId, calls } of batches) await insertCalls(db, clientId, calls)
    }, rowByRow)
  }

  return {
    add(clientId, call) {
      count += 1
      // After the clock is set back, new calls must still follow earlier ones.
      last = Math.max(last + 1, clock() * lowDigits + (count % lowDigits))
      const noted = waiting.get(clientId)
      if (noted) noted.push({ sequence: last, call })
      else waiting.set(clientId, [{ sequence: last, call }])
      if (noted && noted.length >= 2 * mostKept) noted.splice(0, mostKept)
      // A failure to log calls must not end the process.
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

/** Concurrent batches do not affect each other. */
const rowByRow = { isolation: 'row' } as const

/** Keeps only as many pending calls of a client as the list shows. */
const toBatch = async ([clientId, noted]: readonly [string, readonly Noted[]]) => ({
  clientId,
  calls: await Promise.all(noted.slice(-mostKept).map(toKept)),
})

async function toKept({ sequence, call }: Noted): Promise<KeptCall> {
  const { operation } = await describeOperation(call.operationId, currentVersion)
  return {
    sequence,
    at: toTimestamp(call.now),
    request_id: call.context.requestId,
    path: operation.path,
    version: call.version || currentVersion,
    status: call.status,
    error_code: call.errorCode,
    duration_ms: call.duration,
  }
}
