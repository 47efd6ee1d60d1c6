import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransactionsSetStatus(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransactionsSetStatus'>,
): Promise<SandboxResponseOf<'sandboxTransactionsSetStatus'>> {
  throw new Error('sandboxTransactionsSetStatus is not built yet')
}
