import { advanceClock, lockClock } from '../../clients/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { readTimestamp, toTimestamp } from '../../kernel/time.ts'
import { advanceJobs } from '../../queue/job-store.ts'
import { advanceDeliveries } from '../../queue/webhook-store.ts'

export const sandboxClockAdvance: HandlerOf<'sandboxClockAdvance'> = async (ctx, { body }) => {
  // Another call may have moved the clock since this request was authenticated.
  const offset = await lockClock(ctx.db, ctx.client.client_id)
  const now = toSecond(ctx.nowMs - ctx.client.clock_offset_ms + offset)
  const to = body.to === undefined ? now + (body.seconds ?? 0) * 1000 : readTimestamp(body.to)
  if (to < now) throw invalidField('`to` must not be before now')
  if (to - now > furthest) {
    throw invalidField('`to` must be at most ten years ahead')
  }
  if (to >= end) {
    const field = body.to === undefined ? 'seconds' : 'to'
    throw invalidField(`\`${field}\` must leave the clock before the year 9000`)
  }
  await advanceClock(ctx.db, ctx.client.client_id, to - now)
  await advanceJobs(ctx, to - now)
  await advanceDeliveries(ctx, to - now)
  ctx.finishDueWork()
  return { now: toTimestamp(to) }
}

const toSecond = (ms: number): number => ms - (ms % 1000)

/** The maximum of `seconds`, in ms. */
const furthest = 315_360_000_000

/** Timestamps support years up to 9999, and some data is dated years ahead. */
const end = Date.UTC(9000, 0)
