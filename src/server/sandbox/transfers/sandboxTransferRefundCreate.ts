import { fromDecimal } from '../../kernel/money.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { checkRefund, toRefund } from '../../transfers/refund.ts'
import { insertRefund, listRefunds, lockTransfer, requireTransfer } from '../../transfers/store.ts'

export const sandboxTransferRefundCreate: HandlerOf<'sandboxTransferRefundCreate'> = async (
  ctx,
  { body },
) => {
  // Two concurrent refunds must not use the same remaining amount.
  await lockTransfer(ctx, body.transfer_id)
  const transfer = await requireTransfer(ctx, body.transfer_id)
  checkRefund(transfer, await listRefunds(ctx, body.transfer_id), fromDecimal(body.amount))
  const refund = await insertRefund(ctx, body.transfer_id, {
    amount: body.amount,
    status: 'pending',
    failure_reason: null,
    ledger_id: transfer.ledger_id,
    created: ctx.now,
    network_trace_id: null,
  })
  return { refund: toRefund(refund) }
}
