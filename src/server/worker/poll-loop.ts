import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'

/** Polls for due work. */
interface Watch {
  /** Polls soon. */
  wake(): void
  /** Stops polling, and resolves once the last poll has ended. */
  stop(): Promise<void>
}

export interface Watched {
  /** Runs or starts what is due, and returns the ms until the next poll. */
  poll(): Promise<number>
  /** The pause after a poll as a share of its duration. */
  restShare: number
  longestSleepMs: number
  log: Log
}

const shortestSleepMs = 5
const retryAfterMs = 30_000
/** The pause after a failed poll. It doubles with each further failure. */
const firstPauseMs = 1000
/** Shorter pauses are skipped. */
const shortestRestMs = 1
const longestRestMs = 1000

export function createPollLoop({ poll, restShare, longestSleepMs, log }: Watched): Watch {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let failures = 0

  async function run(): Promise<void> {
    let next: number
    do {
      again = false
      const begun = performance.now()
      next = await poll()
      await rest((performance.now() - begun) * restShare)
    } while (again && !signal.aborted)
    if (!signal.aborted) plan(Math.max(shortestSleepMs, Math.min(next, longestSleepMs)))
    failures = 0
  }

  async function rest(ms: number): Promise<void> {
    if (ms < shortestRestMs) return
    const rested = sleep(Math.min(ms, longestRestMs), undefined, { signal, ref: false })
    await rested.catch(() => {})
  }

  function plan(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(wake, ms)
    timer.unref()
  }

  function wake(): void {
    if (signal.aborted) return
    again = true
    running ??= run()
      .catch((error) => {
        log.error(error, 'background work failed')
        again = false
        if (!signal.aborted) plan(Math.min(firstPauseMs * 2 ** failures, retryAfterMs))
        failures += 1
      })
      .finally(() => {
        running = undefined
        // A wake during the end of the last poll must not wait for the timer.
        if (again) wake()
      })
  }

  return {
    wake,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
