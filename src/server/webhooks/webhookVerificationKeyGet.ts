import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { toWebhookVerificationKey } from './key.ts'
import { findCurrentKey, findKey } from './key-store.ts'

export const webhookVerificationKeyGet: HandlerOf<'webhookVerificationKeyGet'> = async (
  ctx,
  { body },
) => {
  const row = await findKey(ctx, body.key_id)
  if (!row) throw await unknownKey(ctx)
  return { key: toWebhookVerificationKey(row) }
}
webhookVerificationKeyGet.reads = true
webhookVerificationKeyGet.usuallySingle = true

/**
 * A receiver that is flooded with forged ids asks for few of them. Each answer tells it which id is
 * genuine, so that it need not be among those few.
 */
async function unknownKey(ctx: Context): Promise<ApiError> {
  const current = await findCurrentKey(ctx)
  const headers = current ? { 'Current-Key-Id': current.key_id } : {}
  return new ApiError('INVALID_WEBHOOK_VERIFICATION_KEY_ID', { headers })
}
