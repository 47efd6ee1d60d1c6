import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransactionsUpdate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransactionsUpdate'>,
): Promise<SandboxResponseOf<'sandboxTransactionsUpdate'>> {
  throw new Error('sandboxTransactionsUpdate is not built yet')
}
