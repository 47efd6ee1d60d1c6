import { ApiError } from '../../kernel/errors.ts'
import { sandboxTransferSweepSimulate } from '../../sandbox/transfers/sandboxTransferSweepSimulate.ts'
import { findTransfer } from '../../transfers/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardSweepSimulate: PageHandler<'dashboardSweepSimulate'> = async (
  ctx,
  { body },
) => {
  const { transfer_id, sweep_status } = body
  const before = await findTransfer(ctx, transfer_id)
  if (!before) throw new ApiError('OBJECT_NOT_FOUND')
  await sandboxTransferSweepSimulate(ctx, { body: { transfer_id, sweep_status } })
  const details = { before: before.sweep_status, after: sweep_status }
  await auditPage(ctx, 'transfer.simulate-sweep', transfer_id, details)
  return {}
}
