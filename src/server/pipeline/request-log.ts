import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import type { ErrorContext } from '../kernel/errors.ts'
import type { Keys } from '../kernel/keys.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { toTimestamp } from '../kernel/time.ts'
import { currentVersion, describeOperation } from '../versions/select-version.ts'
import {
  type CallBodies,
  cutText,
  longestStored,
  sealBodies,
  toStoredRequest,
} from './call-bodies.ts'
import type { Headers } from './credentials.ts'
import {
  type Batch,
  countCalls,
  insertBatch,
  type KeptCall,
  listItemsByTokens,
} from './request-log-store.ts'

export interface Call {
  operationId: AnyOperationId
  context: ErrorContext
  status: number
  errorCode: string | null
  version: string
  /** In ms. */
  duration: number
  /** The client's time in ms. */
  now: number
  headers: Headers
  /** As it arrived. */
  body: Uint8Array
  /** As it was sent, but not longer than what is stored of it. Not there before that is known. */
  answer?: string
  isAnswerCut?: boolean
  /** Whether its bodies are stored. */
  hasBodies: boolean
  resentFrom: string | null
}

/** A call with its position among those of its client. */
interface Noted {
  sequence: number
  call: Call
}

/** Stores the latest calls of each client. */
export interface RequestLog {
  add(clientId: string, call: Call): void
  /** Adds what was sent to a call that is stored with its bodies. */
  answer(call: Call, text: string): void
  /** Writes the pending calls, and waits for those of other processes. */
  flush(): Promise<void>
  /** Writes the pending calls of this process. */
  write(): Promise<void>
  stop(): Promise<void>
}

/** What a log needs of the service. */
export interface LogPlace {
  database: Database
  keys: Keys
  clock(): number
  /** Whether bodies are stored. */
  storesBodies: boolean
}

const flushAfter = 1000
/** Used if other processes write entries too: a list waits for theirs. */
const flushAfterBesideOthers = 50
/** Under high load fewer rows are written, each with more calls. */
const many = { calls: 100, flushAfter: 150 }
const lowDigits = 4096
/** The most calls of a row: reading one call opens its row. */
const mostInRow = 200
/**
 * What is stored of the bodies of pending calls. Under more load, further calls are stored without
 * theirs: they would take the memory and the time of the calls that come.
 */
const mostPendingBytes = 2 * 1024 * 1024
/** The access token of a call stands before this place in its body. */
const tokenWithin = 4096

/** A log that does nothing. */
export const noRequestLog: RequestLog = {
  add: () => {},
  answer: () => {},
  flush: async () => {},
  write: async () => {},
  stop: async () => {},
}

/** Writes calls in batches shortly after them, so that no call waits for its entry. */
export function createRequestLog(place: LogPlace): RequestLog {
  const { database, clock } = place
  let waiting = new Map<string, Noted[]>()
  let timer: NodeJS.Timeout | undefined
  let [count, last, pendingBytes] = [0, 0, 0]
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
    pendingBytes = 0
    if (noted.length === 0) return
    isBusy = noted.reduce((sum, [, calls]) => sum + calls.length, 0) >= many.calls
    const batches: Batch[] = []
    for (const [clientId, calls] of noted) {
      for (let done = 0; done < calls.length; done += mostInRow) {
        batches.push(await toBatch(place, clientId, calls.slice(done, done + mostInRow)))
      }
    }
    await database.transaction(async (db) => {
      for (const batch of batches) {
        await insertBatch(db, batch)
        await countCalls(db, batch.clientId, batch.calls)
      }
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
      if (!place.storesBodies || pendingBytes > mostPendingBytes) leaveBodiesOut(call)
      else pendingBytes += Math.min(call.body.length, longestStored)
      // A failure to log calls must not end the process.
      const pause = isBusy ? Math.max(delay, many.flushAfter) : delay
      timer ??= setTimeout(() => void flush().catch(() => {}), pause).unref()
    },
    answer(call, text) {
      const kept = cutText(text)
      if (pendingBytes + kept.length > mostPendingBytes) return leaveBodiesOut(call)
      pendingBytes += kept.length
      call.answer = kept
      call.isAnswerCut = kept.length < text.length
    },
    async flush() {
      await flush()
      if (database.shared) await sleep(2 * many.flushAfter)
    },
    write: flush,
    stop: flush,
  }
}

function leaveBodiesOut(call: Call): void {
  call.hasBodies = false
  // A copy, since a part of a body keeps all of it in memory.
  if (call.body.length > tokenWithin)
    call.body = Uint8Array.from(call.body.subarray(0, tokenWithin))
}

/** Concurrent batches do not affect each other. */
const rowByRow = { isolation: 'row' } as const

async function toBatch(place: LogPlace, clientId: string, noted: readonly Noted[]): Promise<Batch> {
  const { keys, storesBodies, clock } = place
  const items = await findItems(place, clientId, noted)
  const calls = await Promise.all(noted.map((one) => toKept(one, items)))
  const bodies = storesBodies ? await sealBodies(keys, noted.map(toBodies)) : null
  return { clientId, calls, bodies, now: clock() }
}

function toBodies({ call }: Noted): CallBodies | null {
  if (!call.hasBodies) return null
  const stored = toStoredRequest(call.headers, call.body)
  return { ...stored, answer: call.answer ?? null, cut: stored.cut || call.isAnswerCut === true }
}

const tokenInBody = /"access_token"\s*:\s*"([^"\\]{1,200})"/

/** The access token of a call, if its body has one. */
const tokenOf = ({ body }: Call): string | undefined =>
  tokenInBody.exec(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, tokenWithin)).toString(),
  )?.[1]

/** The Items that the calls are about, by their access tokens. */
async function findItems(
  { database, keys }: LogPlace,
  clientId: string,
  noted: readonly Noted[],
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Set(noted.flatMap(({ call }) => tokenOf(call) ?? []))
  if (tokens.size === 0) return new Map()
  const byHash = new Map([...tokens].map((token) => [keys.hash(token), token]))
  const rows = await listItemsByTokens(database.single, clientId, [...byHash.keys()])
  return new Map(rows.map((row) => [byHash.get(row.access_token_hash) ?? '', row.item_id]))
}

async function toKept(
  { sequence, call }: Noted,
  items: ReadonlyMap<string, string>,
): Promise<KeptCall> {
  const { operation } = await describeOperation(call.operationId, currentVersion)
  return {
    sequence,
    at: toTimestamp(call.now),
    request_id: call.context.requestId,
    operation_id: call.operationId,
    path: operation.path,
    version: call.version || currentVersion,
    status: call.status,
    error_code: call.errorCode,
    duration_ms: call.duration,
    item_id: items.get(tokenOf(call) ?? '') ?? null,
    resent_from: call.resentFrom,
  }
}
