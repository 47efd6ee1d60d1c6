import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorKey } from '../../../../generated/errors.ts'
import type { Service } from '../../kernel/service.ts'
import { findNextPull, listDuePulls, type PullRow, readPull } from '../../queue/pull-store.ts'
import { createPollLoop } from '../poll-loop.ts'

// Its code is loaded for the first pull: in the sandbox there is none.
const runPull: typeof import('./run-pull.ts').runPull = async (...pull) =>
  (await import('./run-pull.ts')).runPull(...pull)

type Key = Pick<PullRow, 'client_id' | 'item_id'>

/** Reads Items from their sources when that is due. */
interface Pulls {
  wake(): void
  /** Reads an Item if that is due, or waits for who does; at most 30 seconds. */
  pull(key: Key): Promise<ErrorKey | undefined>
  stop(): Promise<void>
}

/** How many are read at once: each may hold 50 MB. */
const mostAtOnce = 4
const patienceMs = 30_000
const lookAgainMs = 100
/** Other processes write rows, too, and may die. */
const longestSleepMs = 30_000

export function createPulls(service: Service): Pulls {
  const { database, clockGuard, log } = service
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Map<string, Promise<boolean>>()

  /** Returns whether it was read here. */
  function begin(key: Key): Promise<boolean> {
    const name = `${key.client_id}\n${key.item_id}`
    const known = running.get(name)
    if (known) return known
    const run = runPull(service, key, signal)
      .catch((error: unknown) => {
        log.error(error, 'a pull could not be ended')
        return false
      })
      .finally(() => {
        running.delete(name)
        loop.wake()
      })
    running.set(name, run)
    return run
  }

  async function poll(): Promise<number> {
    const now = service.clock()
    if (!clockGuard.isRight()) return longestSleepMs
    const room = mostAtOnce - running.size
    if (room > 0 && !signal.aborted) {
      for (const key of await listDuePulls(database.single, now, mostAtOnce)) {
        if (running.size < mostAtOnce) void begin(key)
      }
    }
    const due = await findNextPull(database.single, now)
    return due === null ? longestSleepMs : due - now
  }
  const loop = createPollLoop({ poll, restShare: 0, longestSleepMs, log })

  async function wait(key: Key): Promise<ErrorKey | undefined> {
    while (!signal.aborted) {
      const row = await database.read((db) => readPull(db, key))
      const now = service.clock()
      if (!row) return undefined
      if (row.leased_until <= now && row.due_at > now) return (row.failure as ErrorKey) ?? undefined
      // Another process may be faster.
      if (row.leased_until <= now && (await begin(key))) continue
      await sleep(lookAgainMs, undefined, { signal }).catch(() => {})
    }
    return undefined
  }

  return {
    wake: loop.wake,
    pull: (key) => Promise.race([wait(key), sleep(patienceMs, undefined, { ref: false })]),
    async stop() {
      stopping.abort()
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}
