import { pictureMs } from '../../identity-verification/pictures/of-attempt.ts'
import { usualKeptCalls } from '../../kernel/kept-calls.ts'
import type { Service } from '../../kernel/service.ts'
import { dayMs, toTimestamp } from '../../kernel/time.ts'
import { idempotencyMs } from '../../pipeline/idempotency.ts'
import { listenedMs } from '../../queue/listened-store.ts'
import {
  deleteDeadJobs,
  deleteEndedWebhooks,
  deleteExpiredLinkTokens,
  deleteExpiredPublicTokens,
  deleteExpiredTokens,
  deleteExpiredVerificationSessions,
  deleteListened,
  deleteOldAnswers,
  deleteOldCalls,
  deleteOldCounts,
  deleteOldPictures,
  deleteOldStaged,
  deleteOldWindows,
  findClockOffset,
  markEnded,
  type RetentionLimits,
  type Step,
} from './store.ts'

/** How many of each client's latest webhooks are kept, and how long after their last attempt. */
export const keptWebhooks = 10_000
const webhookDays = 30
/**
 * Until then, by its client's clock, an expired token can be revoked with all tokens derived from
 * it.
 */
const tokenDays = 30
/** Gives operators time to find dead jobs, fix the cause, and run them again. */
export const deadJobDays = 90
/** An import stages rows for minutes at most. Only one that was cut off leaves them for a day. */
const stagedMs = dayMs
const windowMs = 3_600_000

const steps: readonly Step[] = [
  markEnded,
  deleteEndedWebhooks,
  deleteListened,
  deleteExpiredTokens,
  deleteExpiredPublicTokens,
  deleteExpiredLinkTokens,
  deleteExpiredVerificationSessions,
  deleteOldWindows,
  deleteDeadJobs,
  deleteOldStaged,
  deleteOldAnswers,
  deleteOldCalls,
  deleteOldCounts,
  deleteOldPictures,
]

/**
 * Deletes old rows of a client in short transactions. Waits for `rest` after each, and ends if
 * `rest` returns `end`.
 */
export async function pruneClient(
  service: Service,
  clientId: string,
  rest: (tookMs: number) => Promise<'go on' | 'end'> = async () => 'go on',
): Promise<number> {
  const { database } = service
  const client = await database.read((db) => findClockOffset(db, clientId))
  if (!client) return 0
  const { days } = service.settings.keptCalls ?? usualKeptCalls
  const limits = limitsAt(service.clock(), client.clock_offset_ms, days)
  let removed = 0
  for (const step of steps) {
    for (let count = 1; count > 0; removed += count) {
      const begun = performance.now()
      // Each statement is independent, and checks its rows again before it deletes them.
      count = await database.transaction((db) => step(db, clientId, limits), { isolation: 'row' })
      if ((await rest(performance.now() - begun)) === 'end') return removed
    }
  }
  return removed
}

const limitsAt = (now: number, offset: number, callDays: number): RetentionLimits => ({
  now,
  webhooks: keptWebhooks,
  endedBefore: now - webhookDays * dayMs,
  windowBefore: now - windowMs,
  listenedBefore: now - listenedMs,
  callsBefore: now - callDays * dayMs,
  answersBefore: now - idempotencyMs,
  picturesBefore: now - pictureMs,
  countsBefore: toTimestamp(now + offset - callDays * dayMs),
  deadBefore: now - deadJobDays * dayMs,
  stagedBefore: now - stagedMs,
  expiredBefore: now + offset - tokenDays * dayMs,
})
