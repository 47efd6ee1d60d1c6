import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import type { Keys } from '../kernel/keys.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { toTimestamp } from '../kernel/time.ts'
import { currentVersion, describeOperation } from '../versions/select-version.ts'
import {
  type BodyBlock,
  createBodyBlock,
  longestStored,
  type PendingBodies,
  packBodies,
} from './body-block.ts'
import { sealBodies, toAscii, withoutSecret } from './call-bodies.ts'
import type { WireRequest } from './check-request.ts'
import type { Headers } from './credentials.ts'
import type { FaultEffect } from './injected-fault.ts'
import { maskBody } from './mask-body.ts'
import {
  type Batch,
  countCalls,
  insertBatch,
  type KeptCall,
  listItemsByTokens,
  lowDigits,
} from './request-log-store.ts'

/** A call as it has ended. */
export interface Call {
  operationId: AnyOperationId
  requestId: string
  status: number
  errorCode: string | null
  version: string
  /** In ms. */
  duration: number
  /** The client's time in ms. */
  now: number
  resentFrom: string | null
  /** What a test had injected into it. */
  injected: FaultEffect | null
  /** Whether production stores its bodies, too. */
  keepsBodies: boolean
}

/** A call until it is written. */
export interface PendingCall extends Call {
  /** Its position among those of its client. */
  sequence: number
  /** The access token in its body. */
  token: string | undefined
  /** Undefined for a call that is stored without. */
  bodies: PendingBodies | undefined
}

/** Stores the latest calls of each client. */
export interface RequestLog {
  add(clientId: string, call: Call, request: WireRequest): PendingCall | undefined
  /** Adds what was sent to a call that is stored with its bodies. */
  answer(call: PendingCall, text: string): void
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
  /** Whether the bodies of all calls are stored, as they are; else those of some clients, masked. */
  storesBodies: boolean
  /** How many calls of a client are stored. */
  mostKept: number
}

const flushAfter = 1000
/** Used if other processes write entries too: a list waits for theirs. */
const flushAfterBesideOthers = 50
/** Under high load fewer rows are written, each with more calls. */
const many = { calls: 100, flushAfter: 150 }
/** The most calls of a row: reading one call opens its row. */
const mostInRow = 200
/** The access token of a call stands before this place in its body. */
const tokenWithin = 4096

/** A log that does nothing. */
export const noRequestLog: RequestLog = {
  add: () => undefined,
  answer: () => {},
  flush: async () => {},
  write: async () => {},
  stop: async () => {},
}

/** Writes calls in batches shortly after them, so that no call waits for its entry. */
export function createRequestLog(place: LogPlace): RequestLog {
  const { database, clock, storesBodies } = place
  let waiting = new Map<string, PendingCall[]>()
  let timer: NodeJS.Timeout | undefined
  let [count, last] = [0, 0]
  const delay = database.shared ? flushAfterBesideOthers : flushAfter
  let writing: Promise<void> = Promise.resolve()
  let isBusy = false
  /** While one is written, the other one takes the bodies of further calls. */
  let [block, spare] = [createBodyBlock(), createBodyBlock()]

  /** Writes one batch after the other. A caller also waits for the batches before its own. */
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // Sorted, so that two processes lock rows in the same order.
    const pending = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1))
    if (pending.length === 0) return
    waiting = new Map()
    ;[block, spare] = [spare, block]
    isBusy = pending.reduce((sum, [, calls]) => sum + calls.length, 0) >= many.calls
    try {
      await writeAll(pending)
    } finally {
      spare.clear()
    }
  }

  async function writeAll(pending: readonly [string, PendingCall[]][]): Promise<void> {
    const batches: Batch[] = []
    for (const [clientId, calls] of pending) {
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
    add(clientId, call, { headers, body }) {
      count += 1
      // After the clock is set back, new calls must still follow earlier ones.
      last = Math.max(last + 1, clock() * lowDigits + (count % lowDigits))
      const ascii = toAscii(storesBodies ? body : body.subarray(0, tokenWithin))
      const bodies = storesBodies
        ? block.addRequest(headers, body, ascii)
        : call.keepsBodies
          ? addMasked(block, headers, body)
          : undefined
      const pending: PendingCall = { ...call, sequence: last, token: tokenIn(ascii), bodies }
      const others = waiting.get(clientId)
      if (others) others.push(pending)
      else waiting.set(clientId, [pending])
      // A failure to log calls must not end the process.
      const pause = isBusy ? Math.max(delay, many.flushAfter) : delay
      timer ??= setTimeout(() => void flush().catch(() => {}), pause).unref()
      return pending
    },
    answer(call, text) {
      const { bodies } = call
      if (!bodies) return
      const part = storesBodies ? text.slice(0, longestStored) : text
      if (!bodies.block.hasRoomFor(Math.min(part.length, longestStored))) {
        call.bodies = undefined
        return
      }
      const stored = storesBodies ? withoutSecret(part) : maskBody(text)
      const isCut = part.length < text.length
      if (stored !== null && !bodies.block.addAnswer(bodies, stored, isCut)) call.bodies = undefined
    },
    async flush() {
      await flush()
      if (database.shared) await sleep(2 * many.flushAfter)
    },
    write: flush,
    stop: flush,
  }
}

/** A body without what tells about a person. One that cannot be read is left out. */
function addMasked(
  block: BodyBlock,
  headers: Headers,
  body: Uint8Array,
): PendingBodies | undefined {
  const text = maskBody(Buffer.from(body).toString()) ?? 'null'
  const bytes = Buffer.from(text)
  return block.addRequest(headers, bytes, toAscii(bytes))
}

/** Concurrent batches do not affect each other. A call that is lost is missing in a list only. */
const rowByRow = { isolation: 'row', mayBeLost: true } as const

async function toBatch(
  place: LogPlace,
  clientId: string,
  pending: readonly PendingCall[],
): Promise<Batch> {
  const { keys, clock, mostKept } = place
  const items = await findItems(place, clientId, pending)
  const paths = await pathsOf(pending)
  const calls = pending.map((call) => toKept(call, paths, items))
  const hasBodies = pending.some((call) => call.bodies)
  const packed = hasBodies ? packBodies(pending.map((call) => call.bodies)) : undefined
  const bodies = packed ? await sealBodies(keys, packed.heads, packed.bodies) : null
  return { clientId, calls, bodies, now: clock(), mostKept }
}

const tokenInBody = /"access_token"\s*:\s*"([^"\\]{1,200})"/

/** The access token of a call, if its body has one. */
function tokenIn(ascii: string): string | undefined {
  if (!ascii.includes('"access_token"')) return undefined
  const token = tokenInBody.exec(ascii.slice(0, tokenWithin))?.[1]
  // A copy, since a part of a text keeps all of it in memory.
  return token && Buffer.from(token, 'latin1').toString('latin1')
}

/** The Items that the calls are about, by their access tokens. */
async function findItems(
  { database, keys }: LogPlace,
  clientId: string,
  pending: readonly PendingCall[],
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Set(pending.flatMap(({ token }) => token ?? []))
  if (tokens.size === 0) return new Map()
  const byHash = new Map([...tokens].map((token) => [keys.hash(token), token]))
  const rows = await listItemsByTokens(database.single, clientId, [...byHash.keys()])
  return new Map(rows.map((row) => [byHash.get(row.access_token_hash) ?? '', row.item_id]))
}

async function pathsOf(pending: readonly PendingCall[]): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const { operationId } of pending) {
    if (paths.has(operationId)) continue
    paths.set(operationId, (await describeOperation(operationId, currentVersion)).operation.path)
  }
  return paths
}

const toKept = (
  call: PendingCall,
  paths: ReadonlyMap<string, string>,
  items: ReadonlyMap<string, string>,
): KeptCall => ({
  sequence: call.sequence,
  at: toTimestamp(call.now),
  request_id: call.requestId,
  operation_id: call.operationId,
  path: paths.get(call.operationId) ?? '',
  version: call.version || currentVersion,
  status: call.status,
  error_code: call.errorCode,
  duration_ms: call.duration,
  item_id: items.get(call.token ?? '') ?? null,
  resent_from: call.resentFrom,
  injected: call.injected,
})
