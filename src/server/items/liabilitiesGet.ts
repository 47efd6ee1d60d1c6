import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { selectAccounts, toAccount } from './account.ts'
import { listAccounts } from './account-store.ts'
import { addProduct, checkReading, toItem } from './item.ts'
import { liabilityKindOf, toLiabilities } from './liability.ts'
import { requireItem } from './store.ts'

export const liabilitiesGet: HandlerOf<'liabilitiesGet'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  checkReading(item, 'liabilities', 'liabilitiesGet')
  const open = await listAccounts(ctx, item.item_id)
  if (open.length === 0) throw new ApiError('NO_LIABILITY_ACCOUNTS')
  const accounts = selectAccounts(open, body.options?.account_ids)
  if (!accounts.some(liabilityKindOf)) throw new ApiError('NO_LIABILITY_ACCOUNTS')
  const added = await addProduct(ctx, item, 'liabilities')
  return {
    accounts: accounts.map(toAccount),
    item: toItem(added),
    liabilities: toLiabilities(ctx.keys, accounts),
  }
}
liabilitiesGet.reads = true
