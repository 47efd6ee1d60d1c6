import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { rotateKey } from '../../webhooks/key.ts'

export async function sandboxWebhookRotateKey(
  ctx: Context,
  _request: SandboxRequestOf<'sandboxWebhookRotateKey'>,
): Promise<SandboxResponseOf<'sandboxWebhookRotateKey'>> {
  return { key_id: await rotateKey(ctx) }
}
