import { hasProduct } from '../items/item.ts'
import { findItem } from '../items/store.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { initializeTransactions } from '../transactions/initialize.ts'
import { takePublicToken } from './store.ts'

export const itemPublicTokenExchange: HandlerOf<'itemPublicTokenExchange'> = async (
  ctx,
  { body },
) => {
  const taken = await takePublicToken(ctx, body.public_token)
  const item = taken && (await findItem(ctx, taken.item_id))
  if (!taken || !item) throw new ApiError('INVALID_PUBLIC_TOKEN')
  if (hasProduct(item, 'transactions')) {
    await initializeTransactions(ctx, item, item.days_requested ?? undefined)
  }
  return { access_token: taken.access_token, item_id: item.item_id }
}
