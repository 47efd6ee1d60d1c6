import type { Queries } from '../../kernel/database.ts'
import type { Service } from '../../kernel/service.ts'
import { dayMs } from '../../kernel/time.ts'
import {
  deleteDeadJobs,
  deleteEndedWebhooks,
  deleteExpiredTokens,
  deleteOldWindows,
  findClockOffset,
  markEnded,
  type RetentionLimits,
} from './store.ts'

/** Of each client the latest webhooks stay, for so long after their last attempt. */
export const keptWebhooks = 10_000
export const webhookDays = 30
/** By the clock of its client an expired token can still be revoked, with all that came from it. */
export const tokenDays = 30
/** Long enough for an operator to find them, fix the cause, and run them again. */
export const deadJobDays = 90
const windowMs = 3_600_000

/** Removes a part of what is old; how many rows. */
type Step = (db: Queries, clientId: string, limits: RetentionLimits) => Promise<number>

const steps: readonly Step[] = [
  markEnded,
  deleteEndedWebhooks,
  deleteExpiredTokens,
  deleteOldWindows,
  deleteDeadJobs,
]

/**
 * Removes what is old of a client, in transactions that take no longer than a request's; `rest` is
 * waited for after each, and ends the work when it says so.
 */
export async function pruneClient(
  service: Service,
  clientId: string,
  rest: (tookMs: number) => Promise<'go on' | 'end'> = async () => 'go on',
): Promise<number> {
  const { database } = service
  const client = await database.read((db) => findClockOffset(db, clientId))
  if (!client) return 0
  const limits = limitsAt(service.clock(), client.clock_offset_ms)
  let removed = 0
  for (const step of steps) {
    for (let count = 1; count > 0; removed += count) {
      const begun = performance.now()
      // Each statement stands for itself, and looks at its rows again before it removes them.
      count = await database.transaction((db) => step(db, clientId, limits), { isolation: 'row' })
      if ((await rest(performance.now() - begun)) === 'end') return removed
    }
  }
  return removed
}

const limitsAt = (now: number, offset: number): RetentionLimits => ({
  now,
  webhooks: keptWebhooks,
  endedBefore: now - webhookDays * dayMs,
  windowBefore: now - windowMs,
  deadBefore: now - deadJobDays * dayMs,
  expiredBefore: now + offset - tokenDays * dayMs,
})
