import { deleteClientRows, resetClient } from '../../clients/reset-store.ts'
import { reloadClientData } from '../../fixtures/reload-client-data.ts'
import type { Context } from '../../kernel/context.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { deleteTestUsers } from '../../users/dashboard-store.ts'

export const sandboxReset: HandlerOf<'sandboxReset'> = async (ctx) => {
  // Locks the client's row first, in the lock order of its other work.
  await resetClient(ctx)
  await deleteClientRows(ctx)
  await deleteTestUsers(ctx)
  await reloadClientData(atRealTime(ctx))
  return {}
}

/** Sets the client's clock to that of the seed data. */
function atRealTime(ctx: Context): Context {
  const nowMs = ctx.nowMs - ctx.client.clock_offset_ms
  return {
    ...ctx,
    client: { ...ctx.client, clock_offset_ms: 0, injections: 0 },
    now: toTimestamp(nowMs),
    nowMs,
  }
}
