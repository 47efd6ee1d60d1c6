import { advanceClock } from '../clients/store.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { advanceJobs } from '../jobs/store.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'
import { toTimestamp } from '../time.ts'
import { advanceDeliveries } from '../webhooks/store.ts'

export async function sandboxClockAdvance(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxClockAdvance'>,
): Promise<SandboxResponseOf<'sandboxClockAdvance'>> {
  const now = Date.parse(ctx.now)
  const to = body.to === undefined ? now + (body.seconds ?? 0) * 1000 : Date.parse(body.to)
  if (to < now) throw new ApiError('INVALID_FIELD', { message: '`to` must not be before now' })
  if (to - now > furthest) {
    throw new ApiError('INVALID_FIELD', { message: '`to` must be at most ten years ahead' })
  }
  await advanceClock(ctx.db, ctx.client.client_id, to - now)
  await advanceJobs(ctx, to - now)
  await advanceDeliveries(ctx, to - now)
  ctx.finishDueWork()
  return { now: toTimestamp(to) }
}

/** As far as `seconds` reaches. */
const furthest = 315_360_000_000
