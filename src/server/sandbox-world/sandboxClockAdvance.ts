import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxClockAdvance(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxClockAdvance'>,
): Promise<SandboxResponseOf<'sandboxClockAdvance'>> {
  throw new Error('sandboxClockAdvance is not built yet')
}
