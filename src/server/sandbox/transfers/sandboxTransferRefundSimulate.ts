import type { RefundStatus } from '#contract/types.ts'
import type { SandboxRefundEventType } from '../../../../generated/sandbox/types.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { toEasternDate } from '../../transfers/eastern-time.ts'
import { nextRefund } from '../../transfers/refund.ts'
import { moveRefund, requireRefund, requireTransfer } from '../../transfers/store.ts'

export async function sandboxTransferRefundSimulate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransferRefundSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferRefundSimulate'>> {
  const row = await requireRefund(ctx, body.refund_id)
  const transfer = await requireTransfer(ctx, row.transfer_id)
  const next = nextRefund(row, transfer, {
    status: toStatus(body.event_type),
    reason: body.failure_reason,
    today: toEasternDate(ctx.now),
    uuid: ctx.newId('uuid'),
  })
  if (!(await moveRefund(ctx, row, next))) {
    const message = '`event_type` must be a move from the status that the refund has by now'
    throw new ApiError('INVALID_FIELD', { message })
  }
  return {}
}

/** The names with and without `refund.` mean the same. */
const toStatus = (event: SandboxRefundEventType): RefundStatus =>
  event.replace(/^refund\./, '') as RefundStatus
