import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransactionsCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransactionsCreate'>,
): Promise<SandboxResponseOf<'sandboxTransactionsCreate'>> {
  throw new Error('sandboxTransactionsCreate is not built yet')
}
