import type { Context } from '../kernel/context.ts'
import { shownColumns as accountColumns, type ShownAccountRow } from './account-store.ts'
import { shownColumns as itemColumns, type ShownItemRow } from './item.ts'
import { type ItemRow, requireLive } from './store.ts'

// An Item without open accounts is a row without an account.
const byToken = `select ${itemColumns.map((name) => `items.${name}`).join(', ')}, removed_at,
    ${accountColumns}
  from items left join accounts on accounts.client_id = items.client_id
    and accounts.item_id = items.item_id and closed = 0
  where items.client_id = $1 and access_token_hash = $2 order by account_key`

type Found = ShownItemRow & Pick<ItemRow, 'removed_at'>
type FoundAccount = Found & (ShownAccountRow | { account_id: null })

const isAccount = (row: FoundAccount): row is Found & ShownAccountRow => row.account_id !== null

/**
 * What responses show of the Item of an access token and of its open accounts, in their order, by one
 * statement. Throws as `requireItem` does.
 */
export async function requireItemWithAccounts(
  ctx: Context,
  accessToken: string,
): Promise<{ item: ShownItemRow; accounts: ShownAccountRow[] }> {
  const rows = await ctx.own.all<FoundAccount>(byToken, [ctx.keys.hash(accessToken)])
  return { item: requireLive(ctx, rows[0], accessToken), accounts: rows.filter(isAccount) }
}
