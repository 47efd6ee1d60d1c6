import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransferRefundCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransferRefundCreate'>,
): Promise<SandboxResponseOf<'sandboxTransferRefundCreate'>> {
  throw new Error('sandboxTransferRefundCreate is not built yet')
}
