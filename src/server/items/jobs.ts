import type { Context } from '../kernel/context.ts'
import { findAccountAt, findItem, updateAccount } from './store.ts'
import { toVerificationColumns } from './verification.ts'

/** Later work on Items. */
export const itemJobs = {
  async itemVerificationExpire(
    ctx: Context,
    { item_id, account_key }: { item_id: string; account_key: number },
  ): Promise<void> {
    const item = await findItem(ctx, item_id)
    const account = await findAccountAt(ctx, item_id, account_key)
    if (!item || item.removed_at !== null) return
    if (account?.verification_status !== 'pending_automatic_verification') return
    await updateAccount(ctx, account, toVerificationColumns('verification_expired'))
  },
}
