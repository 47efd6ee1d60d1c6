import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxWebhookList(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxWebhookList'>,
): Promise<SandboxResponseOf<'sandboxWebhookList'>> {
  throw new Error('sandboxWebhookList is not built yet')
}
