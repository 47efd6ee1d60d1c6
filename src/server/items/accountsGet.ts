import type { HandlerOf } from '../kernel/operation.ts'
import { selectAccounts, toAccount } from './account.ts'
import { toItem } from './item.ts'
import { requireItemWithAccounts } from './item-with-accounts.ts'

export const accountsGet: HandlerOf<'accountsGet'> = async (ctx, { body }) => {
  const { item, accounts } = await requireItemWithAccounts(ctx, body.access_token)
  const selected = selectAccounts(accounts, body.options?.account_ids)
  return { accounts: selected.map(toAccount), item: toItem(item) }
}
accountsGet.reads = true
accountsGet.single = true
