import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxClockGet(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxClockGet'>,
): Promise<SandboxResponseOf<'sandboxClockGet'>> {
  throw new Error('sandboxClockGet is not built yet')
}
