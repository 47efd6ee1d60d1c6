import type { HandlerOf } from '../../kernel/operation.ts'
import { businessAccountOf } from '../../transfers/business-account.ts'
import { requireOpenAccount } from '../../transfers/open-account.ts'
import { insertBankTransferEvent } from '../../transfers/store.ts'

export const sandboxBankTransferCreate: HandlerOf<'sandboxBankTransferCreate'> = async (
  ctx,
  { body },
) => {
  const account = await requireOpenAccount(ctx, body.account_id)
  const bank_transfer_id = ctx.newId('uuid')
  const direction = body.direction ?? 'outbound'
  const origination = businessAccountOf(ctx.client.client_id, 'origination')
  await insertBankTransferEvent(ctx, {
    event_type: 'pending',
    account_id: account.account_id,
    bank_transfer_id,
    // An inbound transfer has no origination account.
    origination_account_id: direction === 'outbound' ? origination : null,
    bank_transfer_type: body.type,
    bank_transfer_amount: body.amount,
    bank_transfer_iso_currency_code: body.iso_currency_code ?? 'USD',
    failure_reason: null,
    direction,
  })
  return { bank_transfer_id }
}
