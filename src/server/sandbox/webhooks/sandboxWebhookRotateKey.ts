import type { HandlerOf } from '../../kernel/operation.ts'
import { rotateKey } from '../../webhooks/key.ts'

export const sandboxWebhookRotateKey: HandlerOf<'sandboxWebhookRotateKey'> = async (ctx) => {
  return { key_id: await rotateKey(ctx) }
}
