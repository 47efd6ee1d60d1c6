import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxItemResetLogin(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxItemResetLogin'>,
): Promise<SandboxResponseOf<'sandboxItemResetLogin'>> {
  throw new Error('sandboxItemResetLogin is not built yet')
}
