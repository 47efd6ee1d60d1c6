import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { selectAccounts } from './account.ts'
import { listAccounts } from './account-store.ts'
import { addProduct, checkReading, toItem } from './item.ts'
import { toIdentityAccount } from './owners.ts'
import { requireItem } from './store.ts'

export const identityGet: HandlerOf<'identityGet'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  checkReading(item, 'identity', 'identityGet')
  const accounts = selectAccounts(await listAccounts(ctx, item.item_id), body.options?.account_ids)
  // Of such an account nobody has told the owners.
  if (accounts.some(({ owners }) => owners === '[]')) throw new ApiError('PRODUCTS_NOT_SUPPORTED')
  const added = await addProduct(ctx, item, 'identity')
  return { accounts: accounts.map(toIdentityAccount), item: toItem(added) }
}
identityGet.reads = true
