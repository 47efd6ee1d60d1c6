import { ApiError } from '../../kernel/errors.ts'
import { sandboxTransferRefundSimulate } from '../../sandbox/transfers/sandboxTransferRefundSimulate.ts'
import { findRefund } from '../../transfers/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { toFailureReason } from './failure-reason.ts'

export const dashboardRefundSimulate: PageHandler<'dashboardRefundSimulate'> = async (
  ctx,
  { body },
) => {
  const { refund_id, event_type, failure_code } = body
  const before = await findRefund(ctx, refund_id)
  if (!before) throw new ApiError('OBJECT_NOT_FOUND')
  const simulated = { refund_id, event_type, ...toFailureReason(failure_code) }
  await sandboxTransferRefundSimulate(ctx, { body: simulated })
  const details = { before: before.status, after: event_type }
  await auditPage(ctx, 'refund.simulate', refund_id, details)
  return {}
}
