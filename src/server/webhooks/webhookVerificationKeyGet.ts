import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { toWebhookVerificationKey } from './key.ts'
import { findKey } from './key-store.ts'

export async function webhookVerificationKeyGet(
  ctx: Context,
  { body }: RequestOf<'webhookVerificationKeyGet'>,
): Promise<ResponseOf<'webhookVerificationKeyGet'>> {
  const row = await findKey(ctx, body.key_id)
  if (!row) throw new ApiError('INVALID_WEBHOOK_VERIFICATION_KEY_ID')
  return { key: toWebhookVerificationKey(row) }
}
