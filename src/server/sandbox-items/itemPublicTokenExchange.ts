import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function itemPublicTokenExchange(
  _ctx: Context,
  _request: SandboxRequestOf<'itemPublicTokenExchange'>,
): Promise<SandboxResponseOf<'itemPublicTokenExchange'>> {
  throw new Error('itemPublicTokenExchange is not built yet')
}
