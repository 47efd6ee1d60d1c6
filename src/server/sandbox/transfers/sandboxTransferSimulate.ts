import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { moveTransfer, requireTransfer } from '../../transfers/store.ts'
import { nextTransfer } from '../../transfers/transfer-status.ts'

export async function sandboxTransferSimulate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransferSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferSimulate'>> {
  const row = await requireTransfer(ctx, body.transfer_id)
  const next = nextTransfer(row, {
    status: body.event_type,
    reason: body.failure_reason,
    now: ctx.now,
    uuid: ctx.newId('uuid'),
  })
  if (!(await moveTransfer(ctx, row, next))) {
    const message = '`event_type` must be a move from the status that the transfer has by now'
    throw new ApiError('INVALID_FIELD', { message })
  }
  return {}
}
