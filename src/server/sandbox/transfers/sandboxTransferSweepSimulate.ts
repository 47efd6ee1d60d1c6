import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { requireTransfer, updateSweep } from '../../transfers/store.ts'

export const sandboxTransferSweepSimulate: HandlerOf<'sandboxTransferSweepSimulate'> = async (
  ctx,
  { body },
) => {
  await requireTransfer(ctx, body.transfer_id)
  // In the contract a transfer that moved no money has no sweep.
  if (!(await updateSweep(ctx, body.transfer_id, body.sweep_status))) {
    throw invalidField(
      '`transfer_id` must be the id of a transfer that was not cancelled and did not fail',
    )
  }
  return {}
}
