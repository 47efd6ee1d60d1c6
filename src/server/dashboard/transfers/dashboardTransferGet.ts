import type { TransferUser } from '#contract/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { findTransfer, listRefunds } from '../../transfers/store.ts'
import { nextTransferEvents } from '../../transfers/transfer-status.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { toDashboardRefund, toDashboardTransfer } from './transfer.ts'

export const dashboardTransferGet: PageHandler<'dashboardTransferGet'> = async (ctx, { body }) => {
  const row = await findTransfer(ctx, body.transfer_id)
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'transfer.view', body.transfer_id)
  const refunds = await listRefunds(ctx, body.transfer_id)
  const holder = JSON.parse(row.transfer_user) as TransferUser
  const isSandbox = ctx.settings.environment === 'sandbox'
  return {
    transfer: toDashboardTransfer(row),
    authorization_id: row.authorization_id,
    account_id: row.account_id,
    legal_name: ctx.seesPersonalData ? holder.legal_name : null,
    email_address: ctx.seesPersonalData ? (holder.email_address ?? null) : null,
    ach_class: row.ach_class,
    failure_code: row.failure_code,
    failure: row.failure_description,
    expected_settlement_date: row.expected_settlement_date,
    expected_funds_available_date: row.expected_funds_available_date,
    originator_client_id: row.originator_client_id,
    network_trace_id: row.network_trace_id,
    refunds: refunds.map((refund) => toDashboardRefund(refund, row, isSandbox)),
    next_events: isSandbox ? nextTransferEvents(row, ctx.now) : [],
  }
}
dashboardTransferGet.reads = true
