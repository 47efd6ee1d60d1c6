import type { RefundStatus } from '#contract/closed.ts'
import type { SandboxRefundEventType } from '../../../../generated/sandbox/closed.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { toEasternDate } from '../../transfers/eastern-time.ts'
import { nextRefund } from '../../transfers/refund.ts'
import { moveRefund, requireRefund, requireTransfer } from '../../transfers/store.ts'

export const sandboxTransferRefundSimulate: HandlerOf<'sandboxTransferRefundSimulate'> = async (
  ctx,
  { body },
) => {
  const row = await requireRefund(ctx, body.refund_id)
  const transfer = await requireTransfer(ctx, row.transfer_id)
  const next = nextRefund(row, transfer, {
    status: toStatus(body.event_type),
    reason: body.failure_reason,
    today: toEasternDate(ctx.now),
    uuid: ctx.newId('uuid'),
  })
  if (!(await moveRefund(ctx, row, next))) {
    throw invalidField('`event_type` must be a move from the status that the refund has by now')
  }
  return {}
}

/** The names with and without `refund.` mean the same. */
const toStatus = (event: SandboxRefundEventType): RefundStatus =>
  event.replace(/^refund\./, '') as RefundStatus
