import { ApiError } from '../../kernel/errors.ts'
import { sandboxBankTransferSimulate } from '../../sandbox/transfers/sandboxBankTransferSimulate.ts'
import { findLatestEvent } from '../../transfers/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { toFailureReason } from './failure-reason.ts'

export const dashboardBankTransferSimulate: PageHandler<'dashboardBankTransferSimulate'> = async (
  ctx,
  { body },
) => {
  const { bank_transfer_id, event_type, failure_code } = body
  const before = await findLatestEvent(ctx, bank_transfer_id)
  if (!before) throw new ApiError('OBJECT_NOT_FOUND')
  const simulated = { bank_transfer_id, event_type, ...toFailureReason(failure_code) }
  await sandboxBankTransferSimulate(ctx, { body: simulated })
  const details = { before: before.event_type, after: event_type }
  await auditPage(ctx, 'bank-transfer.simulate', bank_transfer_id, details)
  return {}
}
