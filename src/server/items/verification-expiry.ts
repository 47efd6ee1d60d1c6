import type { Context } from '../kernel/context.ts'
import { deleteJobs } from '../queue/job-store.ts'
import type { AccountRow } from './account-store.ts'
import { automaticWindow } from './verification.ts'

type Verified = Pick<AccountRow, 'item_id' | 'account_key' | 'verification_status'>

/** Schedules the end of an automatic verification, and cancels an earlier schedule. */
export async function planExpiry(ctx: Context, account: Verified, since = ctx.now): Promise<void> {
  const payload = { item_id: account.item_id, account_key: account.account_key }
  await deleteJobs(ctx, 'itemVerificationExpire', payload)
  if (account.verification_status !== 'pending_automatic_verification') return
  const delay = Date.parse(since) + automaticWindow - Date.parse(ctx.now)
  await ctx.schedule('itemVerificationExpire', payload, delay)
}
