import { ApiError } from '../../kernel/errors.ts'
import { sandboxTransferSimulate } from '../../sandbox/transfers/sandboxTransferSimulate.ts'
import { findTransfer } from '../../transfers/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { toFailureReason } from './failure-reason.ts'

export const dashboardTransferSimulate: PageHandler<'dashboardTransferSimulate'> = async (
  ctx,
  { body },
) => {
  const { transfer_id, event_type, failure_code } = body
  const before = await findTransfer(ctx, transfer_id)
  if (!before) throw new ApiError('OBJECT_NOT_FOUND')
  const simulated = { transfer_id, event_type, ...toFailureReason(failure_code) }
  await sandboxTransferSimulate(ctx, { body: simulated })
  const details = { before: before.status, after: event_type }
  await auditPage(ctx, 'transfer.simulate', transfer_id, details)
  return {}
}
