import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxItemFireWebhook(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxItemFireWebhook'>,
): Promise<SandboxResponseOf<'sandboxItemFireWebhook'>> {
  throw new Error('sandboxItemFireWebhook is not built yet')
}
