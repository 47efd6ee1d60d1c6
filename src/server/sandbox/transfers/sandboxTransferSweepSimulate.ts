import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { requireTransfer, updateSweep } from '../../transfers/store.ts'

export async function sandboxTransferSweepSimulate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransferSweepSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferSweepSimulate'>> {
  await requireTransfer(ctx, body.transfer_id)
  // In the contract a transfer that moved no money has no sweep.
  if (!(await updateSweep(ctx, body.transfer_id, body.sweep_status))) {
    const message =
      '`transfer_id` must be the id of a transfer that was not cancelled and did not fail'
    throw new ApiError('INVALID_FIELD', { message })
  }
  return {}
}
