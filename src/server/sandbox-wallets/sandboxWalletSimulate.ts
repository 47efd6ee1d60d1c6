import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxWalletSimulate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxWalletSimulate'>,
): Promise<SandboxResponseOf<'sandboxWalletSimulate'>> {
  throw new Error('sandboxWalletSimulate is not built yet')
}
