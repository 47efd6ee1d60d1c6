import { type AccountRow, findAccount } from '../items/account-store.ts'
import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'

/** An open account on any of the client's Items that are not removed. */
export async function requireOpenAccount(ctx: Context, accountId: string): Promise<AccountRow> {
  const account = await findAccount(ctx, accountId)
  const item = account && (await findItem(ctx, account.item_id))
  if (!account || account.closed || item?.removed_at !== null) {
    const message = '`account_id` must be the id of an open account of one of your Items'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  return account
}
