import { deleteClientRows, resetClient } from '../../clients/reset-store.ts'
import { reloadClientData } from '../../fixtures/reload-client-data.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { toTimestamp } from '../../kernel/time.ts'

export async function sandboxReset(
  ctx: Context,
  _request: SandboxRequestOf<'sandboxReset'>,
): Promise<SandboxResponseOf<'sandboxReset'>> {
  // The client's row first, in the order in which its other work takes locks.
  await resetClient(ctx)
  await deleteClientRows(ctx)
  await reloadClientData(atRealTime(ctx))
  return {}
}

/** The client's clock is that of the world again. */
function atRealTime(ctx: Context): Context {
  const nowMs = ctx.nowMs - ctx.client.clock_offset_ms
  return {
    ...ctx,
    client: { ...ctx.client, clock_offset_ms: 0, injections: 0 },
    now: toTimestamp(nowMs),
    nowMs,
  }
}
