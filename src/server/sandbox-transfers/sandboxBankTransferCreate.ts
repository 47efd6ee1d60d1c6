import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxBankTransferCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxBankTransferCreate'>,
): Promise<SandboxResponseOf<'sandboxBankTransferCreate'>> {
  throw new Error('sandboxBankTransferCreate is not built yet')
}
