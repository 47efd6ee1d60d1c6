import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxItemVerifyMicrodeposits(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxItemVerifyMicrodeposits'>,
): Promise<SandboxResponseOf<'sandboxItemVerifyMicrodeposits'>> {
  throw new Error('sandboxItemVerifyMicrodeposits is not built yet')
}
