import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxClockGet(
  ctx: Context,
  _request: SandboxRequestOf<'sandboxClockGet'>,
): Promise<SandboxResponseOf<'sandboxClockGet'>> {
  return { now: ctx.now }
}
sandboxClockGet.reads = true
sandboxClockGet.single = true
