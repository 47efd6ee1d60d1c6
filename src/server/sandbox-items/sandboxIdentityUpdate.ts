import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxIdentityUpdate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxIdentityUpdate'>,
): Promise<SandboxResponseOf<'sandboxIdentityUpdate'>> {
  throw new Error('sandboxIdentityUpdate is not built yet')
}
