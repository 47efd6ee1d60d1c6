import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxReset(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxReset'>,
): Promise<SandboxResponseOf<'sandboxReset'>> {
  throw new Error('sandboxReset is not built yet')
}
