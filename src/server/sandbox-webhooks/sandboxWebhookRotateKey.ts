import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxWebhookRotateKey(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxWebhookRotateKey'>,
): Promise<SandboxResponseOf<'sandboxWebhookRotateKey'>> {
  throw new Error('sandboxWebhookRotateKey is not built yet')
}
