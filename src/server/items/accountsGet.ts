import type { HandlerOf } from '../kernel/operation.ts'
import { selectAccounts, toAccount } from './account.ts'
import { listShownAccounts } from './account-store.ts'
import { toItem } from './item.ts'
import { requireItem } from './store.ts'

export const accountsGet: HandlerOf<'accountsGet'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  const accounts = selectAccounts(
    await listShownAccounts(ctx, item.item_id),
    body.options?.account_ids,
  )
  return { accounts: accounts.map(toAccount), item: toItem(item) }
}
accountsGet.reads = true
