import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxWebhookRedeliver(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxWebhookRedeliver'>,
): Promise<SandboxResponseOf<'sandboxWebhookRedeliver'>> {
  throw new Error('sandboxWebhookRedeliver is not built yet')
}
