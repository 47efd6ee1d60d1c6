import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransferSimulate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransferSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferSimulate'>> {
  throw new Error('sandboxTransferSimulate is not built yet')
}
