import type { TransferStatus } from '#contract/closed.ts'
import type {
  SandboxFailureReasonInput,
  SandboxTransferEventType,
} from '../../../generated/sandbox/closed.ts'
import { invalidField } from '../kernel/errors.ts'
import { toDecimal } from '../kernel/money.ts'
import { toEasternDate } from './eastern-time.ts'
import { toFailure, toReturnReason } from './failure-reason.ts'
import { wrongMove } from './moves.ts'
import { toNetworkTrace } from './network-trace.ts'
import type { TransferRow } from './rows.ts'
import { isAch, toFundsDates, toReturnWindows } from './submission.ts'
import { canCancel } from './transfer.ts'

/** An event of a transfer, and when it happens. */
interface TransferEvent {
  status: SandboxTransferEventType
  reason: SandboxFailureReasonInput | null | undefined
  now: string
  /** The input for the trace number of the network. */
  uuid: string
}

const moves: Record<TransferStatus, readonly TransferStatus[]> = {
  pending: ['posted', 'failed', 'cancelled'],
  posted: ['settled', 'returned', 'failed'],
  settled: ['funds_available', 'returned'],
  funds_available: ['returned'],
  cancelled: [],
  failed: [],
  returned: [],
}

function checkMove(row: TransferRow, { status, now }: TransferEvent): void {
  if (!moves[row.status].includes(status)) {
    throw wrongMove(row.status, moves[row.status])
  }
  if (status === 'cancelled' && !canCancel(row, now)) {
    throw invalidField(
      '`event_type` cannot be `cancelled` once the transfer was handed to the network',
    )
  }
  if (status === 'failed' && row.status === 'posted' && isAch(row.network)) {
    throw invalidField(
      '`event_type` cannot be `failed` once an ACH transfer was posted: it can be returned',
    )
  }
  if (status === 'funds_available' && !(isAch(row.network) && row.type === 'debit')) {
    throw invalidField('`event_type` can be `funds_available` for ACH debits only')
  }
}

/** The events that a transfer's state allows, the first of them the usual one. */
export const nextTransferEvents = (row: TransferRow, now: string): SandboxTransferEventType[] =>
  (moves[row.status] as readonly SandboxTransferEventType[]).filter((status) => {
    const { unauthorized_return_window } = row
    if (status === 'cancelled') return canCancel(row, now)
    if (status === 'failed') return !(row.status === 'posted' && isAch(row.network))
    if (status === 'funds_available') return isAch(row.network) && row.type === 'debit'
    return status !== 'returned' || !isPast(unauthorized_return_window, toEasternDate(now))
  })

/**
 * The return codes that are valid in the standard return window. All others are valid in the
 * unauthorized one.
 */
const standardCodes: readonly string[] = ['R01', 'R02', 'R03', 'R29']

function usualCode(row: TransferRow, isLate: boolean): string {
  if (!isAch(row.network)) return 'AC04'
  if (row.type === 'debit') return isLate ? 'R10' : 'R01'
  return isLate ? 'R23' : 'R02'
}

const isPast = (window: string | null, today: string): boolean => window !== null && today > window

function toReturned(row: TransferRow, { reason }: TransferEvent, today: string): TransferRow {
  if (isPast(row.unauthorized_return_window, today)) {
    throw invalidField('`event_type` cannot be `returned` after the unauthorized return window')
  }
  const isLate = isPast(row.standard_return_window, today)
  const usual = usualCode(row, isLate)
  const returned = toReturnReason(reason, { ach: isAch(row.network), usual })
  if (isLate && standardCodes.includes(returned.failure_code ?? '')) {
    throw invalidField(
      '`failure_reason.failure_code` cannot be that code after the standard return window',
    )
  }
  const wasSwept = row.sweep_status === 'swept' || row.sweep_status === 'swept_settled'
  const wasAvailable = row.status === 'funds_available'
  return {
    ...row,
    ...returned,
    status: 'returned',
    sweep_status: wasSwept ? 'return_swept' : null,
    sweep_schedule: row.sweep_schedule && '[]',
    expected_funds_available_date: wasAvailable ? row.expected_funds_available_date : null,
  }
}

function toSettled(row: TransferRow, today: string): TransferRow {
  const { available, schedule } = toFundsDates({ ...row, amount: toDecimal(row.amount) }, today)
  return {
    ...row,
    ...toReturnWindows(row.network, today),
    status: 'settled',
    expected_settlement_date: today,
    expected_funds_available_date: available,
    sweep_schedule: schedule && JSON.stringify(schedule),
  }
}

/** No money moves any more, so there is no sweep and no expected date. */
const toEnded = (row: TransferRow, status: 'cancelled' | 'failed'): TransferRow => ({
  ...row,
  status,
  sweep_status: null,
  sweep_schedule: row.sweep_schedule && '[]',
  expected_settlement_date: null,
  expected_funds_available_date: null,
})

/** The transfer after the event. Throws if its state does not allow the event. */
export function nextTransfer(row: TransferRow, event: TransferEvent): TransferRow {
  checkMove(row, event)
  const today = toEasternDate(event.now)
  switch (event.status) {
    case 'posted': {
      const network_trace_id = toNetworkTrace(row.network, today, event.uuid)
      return { ...row, status: 'posted', network_trace_id }
    }
    case 'settled':
      return toSettled(row, today)
    case 'funds_available':
      return { ...row, status: 'funds_available' }
    case 'cancelled':
      return toEnded(row, 'cancelled')
    case 'failed':
      return { ...toEnded(row, 'failed'), ...toFailure(event.reason) }
    case 'returned':
      return toReturned(row, event, today)
  }
}
