import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { moveTransfer, requireTransfer } from '../../transfers/store.ts'
import { nextTransfer } from '../../transfers/transfer-status.ts'

export const sandboxTransferSimulate: HandlerOf<'sandboxTransferSimulate'> = async (
  ctx,
  { body },
) => {
  const row = await requireTransfer(ctx, body.transfer_id)
  const next = nextTransfer(row, {
    status: body.event_type,
    reason: body.failure_reason,
    now: ctx.now,
    uuid: ctx.newId('uuid'),
  })
  if (!(await moveTransfer(ctx, row, next))) {
    throw invalidField('`event_type` must be a move from the status that the transfer has by now')
  }
  return {}
}
