import type { Context } from '../kernel/context.ts'
import { findLimits } from '../protocols/protocols.ts'
import { waitForCall } from '../queue/pull-quota.ts'
import { findPull, hastenPull } from '../queue/pull-store.ts'

/**
 * Makes a read of an Item from its source due. Returns how many ms its source allows no call, in which
 * case nothing has changed. Undefined for an Item without a source that the service calls.
 */
export async function askForPull(ctx: Context, itemId: string): Promise<number | undefined> {
  const pull = await findPull(ctx, itemId)
  if (!pull) return undefined
  // Sources count by real time.
  const now = ctx.nowMs - ctx.client.clock_offset_ms
  // A read that is under way is as good as a new one.
  if (pull.leased_until > now) return 0
  const limits = findLimits(ctx.settings, pull.connector)
  const wait = limits ? waitForCall(pull.calls, limits, now) : 0
  if (wait === 0) await hastenPull(ctx, itemId, now)
  return wait
}
