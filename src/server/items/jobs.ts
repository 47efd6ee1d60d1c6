import type { JobHandlers } from '../kernel/job-handlers.ts'
import { findAccountAt, findItem, updateAccount } from './store.ts'
import { toVerificationColumns } from './verification.ts'

/** The jobs for Items. */
export const itemJobs: JobHandlers<'itemVerificationExpire'> = {
  async itemVerificationExpire(ctx, { item_id, account_key }) {
    const item = await findItem(ctx, item_id)
    const account = await findAccountAt(ctx, item_id, account_key)
    if (!item || item.removed_at !== null) return
    if (account?.verification_status !== 'pending_automatic_verification') return
    await updateAccount(ctx, account, toVerificationColumns('verification_expired'))
  },
}
