import type { Refund, RefundStatus, TransferStatus } from '#contract/closed.ts'
import type { SandboxFailureReasonInput } from '../../../generated/sandbox/closed.ts'
import { invalidField } from '../kernel/errors.ts'
import { toDecimal } from '../kernel/money.ts'
import { readFailureReason, toFailure, toReturnReason } from './failure-reason.ts'
import { wrongMove } from './moves.ts'
import { toNetworkTrace } from './network-trace.ts'
import type { RefundRow, TransferRow } from './rows.ts'
import { isAch } from './submission.ts'

/** A refund as its transfer shows it. */
export const toRefund = (row: RefundRow): Refund => ({
  id: row.refund_id,
  transfer_id: row.transfer_id,
  amount: toDecimal(row.amount),
  status: row.status,
  failure_reason: readFailureReason(row),
  ledger_id: row.ledger_id,
  created: row.created,
  network_trace_id: row.network_trace_id,
})

const gone: readonly RefundStatus[] = ['cancelled', 'failed', 'returned']
const over: readonly TransferStatus[] = ['cancelled', 'failed', 'returned']

/** Throws for a refund above the remaining amount of the transfer. Failed refunds do not count. */
export function checkRefund(
  transfer: TransferRow,
  refunds: readonly RefundRow[],
  amount: number,
): void {
  if (transfer.type !== 'debit') throw invalidField('`transfer_id` must be the id of a debit')
  if (over.includes(transfer.status)) {
    throw invalidField(
      '`transfer_id` must be the id of a transfer that was not cancelled, failed or returned',
    )
  }
  const counted = refunds.filter(({ status }) => !gone.includes(status))
  const refunded = counted.reduce((sum, refund) => sum + refund.amount, 0)
  if (refunded + amount > transfer.amount) {
    throw invalidField(
      '`amount` must not exceed what is left of the transfer after its other refunds',
    )
  }
}

const moves: Record<RefundStatus, readonly RefundStatus[]> = {
  pending: ['posted', 'failed', 'cancelled'],
  posted: ['settled', 'returned'],
  settled: ['returned'],
  cancelled: [],
  failed: [],
  returned: [],
}

/** The events that the state of a refund and of its transfer allow. */
export const nextRefundEvents = (row: RefundRow, transfer: TransferRow): RefundStatus[] =>
  moves[row.status].filter((status) => status !== 'posted' || isSettled(transfer))

const isSettled = ({ status }: TransferRow): boolean =>
  status === 'settled' || status === 'funds_available'

/** An event of a refund, and when it happens. */
interface RefundEvent {
  status: RefundStatus
  reason: SandboxFailureReasonInput | null | undefined
  /** The date in New York. */
  today: string
  /** The input for the trace number of the network. */
  uuid: string
}

/** The refund after the event. Throws if its status does not allow the event. */
export function nextRefund(row: RefundRow, transfer: TransferRow, event: RefundEvent): RefundRow {
  if (!moves[row.status].includes(event.status)) {
    throw wrongMove(row.status, moves[row.status])
  }
  const moved = { ...row, status: event.status }
  if (event.status === 'posted') {
    if (!isSettled(transfer)) {
      throw invalidField('`event_type` can be `posted` only once the refunded transfer has settled')
    }
    const trace = toNetworkTrace(transfer.network, event.today, event.uuid)
    return { ...moved, network_trace_id: trace }
  }
  if (event.status === 'failed') return { ...moved, ...toFailure(event.reason) }
  if (event.status !== 'returned') return moved
  const usual = isAch(transfer.network) ? 'R02' : 'AC04'
  return { ...moved, ...toReturnReason(event.reason, { ach: isAch(transfer.network), usual }) }
}
