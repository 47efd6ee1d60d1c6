import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, callService, NoAnswer, Rejected } from './call-service.ts'
import type { Caller } from './caller.ts'
import { tellError } from './tell-error.ts'

/** A list of a client that grows. */
interface Followed<Entry> {
  operationId: 'webhookListen' | 'requestsTail'
  /** The entries of an answer. */
  entriesOf(body: Answered['body']): Entry[]
  /** Called with each new entry, one after the other. */
  onEntry(entry: Entry): Promise<void> | void
  /** Called once the first cursor is there. */
  onReady(): void
  signal: AbortSignal
}

const waitSeconds = 20
/** Longer than the service waits, so that a connection that died is noticed. */
const timeoutMs = 50_000
const pauseMs = { first: 500, longest: 30_000 }
/** An empty answer that comes sooner did not wait, so the next call does. */
const shortestMs = 1000
const entriesAtOnce = 10

/**
 * Follows a list from this moment on until the signal. Where the service is away, it tries again, with
 * longer and longer pauses. @throws Rejected if the service rejects the call
 */
export async function follow<Entry>(caller: Caller, followed: Followed<Entry>): Promise<void> {
  const { operationId, signal } = followed
  let cursor: string | null = null
  let failures = 0
  while (!signal.aborted) {
    const begun = performance.now()
    const answered = await call(caller, operationId, cursor, signal)
    if (signal.aborted) return
    if (answered instanceof NoAnswer || isPassing(answered)) {
      failures += 1
      const why = answered instanceof NoAnswer ? answered.message : new Rejected(answered).message
      if (failures === 1) tellError(`${why}: trying again`)
      const retryAfter = answered instanceof NoAnswer ? undefined : answered.retryAfter
      await rest(pauseOf(failures, retryAfter), signal)
      continue
    }
    if (failures > 0) tellError('the service answers again')
    failures = 0
    if (answered.status !== 200) {
      if (cursor === null || answered.body['error_code'] !== 'INVALID_FIELD') {
        throw new Rejected(answered)
      }
      tellError(`${new Rejected(answered).message}: going on from this moment`)
      cursor = null
      continue
    }
    if (cursor === null) followed.onReady()
    const entries = followed.entriesOf(answered.body)
    for (const entry of entries) if (!signal.aborted) await followed.onEntry(entry)
    const isFirst: boolean = cursor === null
    cursor = String(answered.body['next_cursor'])
    if (entries.length > 0 || isFirst) continue
    await rest(shortestMs - (performance.now() - begun), signal)
  }
}

async function call(
  caller: Caller,
  operationId: 'webhookListen' | 'requestsTail',
  cursor: string | null,
  signal: AbortSignal,
): Promise<Answered | NoAnswer> {
  const body = { cursor, count: entriesAtOnce, wait_seconds: cursor === null ? 0 : waitSeconds }
  try {
    return await callService(caller, operationId, body, { signal, timeoutMs })
  } catch (error) {
    if (error instanceof NoAnswer) return error
    if (signal.aborted) return new NoAnswer('ended')
    throw error
  }
}

const isPassing = ({ status }: Answered): boolean => status === 429 || status >= 500

/** It doubles with each failure. By chance, programs do not all come back in the same moment. */
function pauseOf(failures: number, retryAfter = 0): number {
  const longest = Math.min(pauseMs.longest, pauseMs.first * 2 ** (failures - 1))
  return Math.max(retryAfter * 1000, longest * (0.5 + Math.random() / 2))
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}

/** Aborted by Ctrl-C, by SIGTERM, and where nobody reads standard output any more. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  process.stdout.once('error', end)
  return stop.signal
}
