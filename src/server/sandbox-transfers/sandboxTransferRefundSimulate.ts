import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransferRefundSimulate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransferRefundSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferRefundSimulate'>> {
  throw new Error('sandboxTransferRefundSimulate is not built yet')
}
