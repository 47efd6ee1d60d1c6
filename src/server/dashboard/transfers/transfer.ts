import type { DashboardRefund, DashboardTransfer } from '../../../../generated/dashboard/closed.ts'
import { toDecimal } from '../../kernel/money.ts'
import { nextRefundEvents } from '../../transfers/refund.ts'
import type { RefundRow, TransferRow } from '../../transfers/rows.ts'
import type { TransferListRow } from './store.ts'

export const toDashboardTransfer = (row: TransferListRow): DashboardTransfer => ({
  transfer_id: row.transfer_id,
  type: row.type,
  network: row.network,
  amount: toDecimal(row.amount),
  currency: row.iso_currency_code,
  status: row.status,
  sweep_status: row.sweep_status,
  description: row.description,
  created: row.created,
})

/** A refund. What can happen to it next is told in the sandbox only. */
export const toDashboardRefund = (
  row: RefundRow,
  transfer: TransferRow,
  isSandbox: boolean,
): DashboardRefund => ({
  refund_id: row.refund_id,
  amount: toDecimal(row.amount),
  status: row.status,
  failure: row.failure_description,
  created: row.created,
  next_events: isSandbox ? nextRefundEvents(row, transfer) : [],
})
