import { type AccountRow, lockAccountOf, updateAccount } from '../../items/account-store.ts'
import { nextVerification } from '../../items/verification.ts'
import { planExpiry } from '../../items/verification-expiry.ts'
import type { Context } from '../../kernel/context.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { businessAccountOf } from '../../transfers/business-account.ts'
import { insertBankTransferEvent } from '../../transfers/store.ts'

export const sandboxItemVerifyMicrodeposits: HandlerOf<'sandboxItemVerifyMicrodeposits'> = async (
  ctx,
  { body },
) => {
  const account = await lockAccountOf(ctx, body)
  const { status, attempts } = nextVerification(account, body.success)
  await updateAccount(ctx, account, {
    verification_status: status,
    verification_attempts: attempts,
  })
  await planExpiry(ctx, { ...account, verification_status: status })
  await writeEvent(ctx, account, body.success)
  return { verification_status: status }
}

/** The result of an attempt: the deposit arrived, or the attempt failed. */
async function writeEvent(ctx: Context, account: AccountRow, success: boolean): Promise<void> {
  await insertBankTransferEvent(ctx, {
    event_type: success ? 'posted' : 'failed',
    account_id: account.account_id,
    bank_transfer_id: ctx.newId('uuid'),
    origination_account_id: businessAccountOf(ctx.client.client_id, 'origination'),
    bank_transfer_type: 'credit',
    bank_transfer_amount: '0.01',
    bank_transfer_iso_currency_code: account.iso_currency_code ?? 'USD',
    failure_reason: success
      ? null
      : { ach_return_code: null, description: 'The micro-deposit was not confirmed.' },
    direction: 'outbound',
  })
}
