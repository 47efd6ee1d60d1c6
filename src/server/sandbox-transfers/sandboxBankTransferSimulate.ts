import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxBankTransferSimulate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxBankTransferSimulate'>,
): Promise<SandboxResponseOf<'sandboxBankTransferSimulate'>> {
  throw new Error('sandboxBankTransferSimulate is not built yet')
}
