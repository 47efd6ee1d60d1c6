import type { Service } from '../../kernel/service.ts'
import { findNextCheck, listDueChecks } from '../../queue/identity-check-store.ts'
import { createPollLoop } from '../poll-loop.ts'
import type { Authorized } from './run-check.ts'

/** Calls the provider of identity checks when that is due. */
interface CheckCalls {
  wake(): void
  /** Makes the calls that are due, each at most once, before it resolves. */
  finish(): Promise<void>
  stop(): Promise<void>
}

// Its code is loaded for the first check: few services have a gateway.
const runCheck: typeof import('./run-check.ts').runCheck = async (...check) =>
  (await import('./run-check.ts')).runCheck(...check)

const mostAtOnce = 8
/** Other processes write rows, too, and may die. */
const longestSleepMs = 30_000
const longestSleepBesideOthers = 1000

export function createCheckCalls(service: Service): CheckCalls {
  const { database, clockGuard, log } = service
  const gateway = service.settings.identityGateway
  const stopping = new AbortController()
  const { signal } = stopping
  const authorized: Authorized = new Map()
  const running = new Map<string, Promise<void>>()
  const sleepMs = database.shared ? longestSleepBesideOthers : longestSleepMs

  async function begin(): Promise<void> {
    if (!gateway || signal.aborted || !clockGuard.isRight()) return
    const due = await listDueChecks(database.single, service.clock(), mostAtOnce)
    for (const key of due) {
      const name = `${key.client_id}\n${key.check_id}`
      if (running.size >= mostAtOnce || running.has(name)) continue
      const run = runCheck({ service, gateway, authorized, signal }, key)
        .catch((error: unknown) => log.error(error, 'an identity check could not be ended'))
        .finally(() => {
          running.delete(name)
          loop.wake()
        })
      running.set(name, run)
    }
  }

  async function poll(): Promise<number> {
    await begin()
    const now = service.clock()
    const due = await findNextCheck(database.single, now)
    return due === null ? sleepMs : due - now
  }
  const loop = createPollLoop({ poll, restShare: 0, longestSleepMs: sleepMs, log })

  return {
    // Without a gateway nothing plans a check.
    wake: () => gateway && loop.wake(),
    async finish() {
      await begin()
      await Promise.all(running.values())
    },
    async stop() {
      stopping.abort()
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}
