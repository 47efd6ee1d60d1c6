import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxErrorClear(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxErrorClear'>,
): Promise<SandboxResponseOf<'sandboxErrorClear'>> {
  throw new Error('sandboxErrorClear is not built yet')
}
