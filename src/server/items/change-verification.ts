import type { VerificationInsights, VerificationStatus } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { type AccountRow, updateAccount } from './account-store.ts'
import { toVerificationColumns } from './verification.ts'
import { planExpiry } from './verification-expiry.ts'

/** Sets an account's verification status, whatever the current one is. */
export async function changeVerification(
  ctx: Context,
  account: AccountRow,
  status: VerificationStatus | null,
  insights: VerificationInsights | null = null,
): Promise<void> {
  const columns = toVerificationColumns(status, insights)
  await updateAccount(ctx, account, columns)
  await planExpiry(ctx, { ...account, ...columns })
}
