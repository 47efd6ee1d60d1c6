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
  const asked = body.options?.account_ids
  const accounts = selectAccounts(await listAccounts(ctx, item.item_id), asked)
  const owned = accounts.filter(({ owners }) => owners !== '[]')
  // An answer has at least one owner of each account. Who names an account expects it in the answer.
  if (owned.length < (asked == null ? 1 : accounts.length)) {
    throw new ApiError('PRODUCTS_NOT_SUPPORTED')
  }
  const added = await addProduct(ctx, item, 'identity')
  return { accounts: owned.map(toIdentityAccount), item: toItem(added) }
}
identityGet.reads = true
