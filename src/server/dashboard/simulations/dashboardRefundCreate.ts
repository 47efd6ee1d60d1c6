import { ApiError } from '../../kernel/errors.ts'
import { sandboxTransferRefundCreate } from '../../sandbox/transfers/sandboxTransferRefundCreate.ts'
import { findTransfer } from '../../transfers/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardRefundCreate: PageHandler<'dashboardRefundCreate'> = async (
  ctx,
  { body },
) => {
  const { transfer_id, amount } = body
  if (!(await findTransfer(ctx, transfer_id))) throw new ApiError('OBJECT_NOT_FOUND')
  const { refund } = await sandboxTransferRefundCreate(ctx, { body: { transfer_id, amount } })
  await auditPage(ctx, 'refund.create', refund.id, { transfer_id, amount })
  return { refund_id: refund.id }
}
