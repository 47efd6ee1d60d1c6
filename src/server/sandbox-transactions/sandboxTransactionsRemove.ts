import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransactionsRemove(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransactionsRemove'>,
): Promise<SandboxResponseOf<'sandboxTransactionsRemove'>> {
  throw new Error('sandboxTransactionsRemove is not built yet')
}
