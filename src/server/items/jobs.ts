import type { JobHandlers } from '../kernel/job-handlers.ts'
import { findAccountAt, updateAccount } from './account-store.ts'
import { sendExpirationNotice } from './pending-expiration.ts'
import { findItem } from './store.ts'
import { toVerificationColumns } from './verification.ts'

/** The jobs for Items. */
export const itemJobs: JobHandlers<'itemExpirationNotice' | 'itemVerificationExpire'> = {
  async itemExpirationNotice(ctx, { item_id }) {
    const item = await findItem(ctx, item_id)
    if (item) await sendExpirationNotice(ctx, item)
  },

  async itemVerificationExpire(ctx, { item_id, account_key }) {
    const item = await findItem(ctx, item_id)
    const account = await findAccountAt(ctx, item_id, account_key)
    if (!item || item.removed_at !== null) return
    if (account?.verification_status !== 'pending_automatic_verification') return
    await updateAccount(ctx, account, toVerificationColumns('verification_expired'))
  },
}
