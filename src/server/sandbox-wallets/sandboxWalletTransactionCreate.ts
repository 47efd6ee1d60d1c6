import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxWalletTransactionCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxWalletTransactionCreate'>,
): Promise<SandboxResponseOf<'sandboxWalletTransactionCreate'>> {
  throw new Error('sandboxWalletTransactionCreate is not built yet')
}
