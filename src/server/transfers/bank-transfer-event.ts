import type { BankTransferEvent, BankTransferEventType } from '#contract/closed.ts'
import type {
  SandboxBankTransferEventType,
  SandboxFailureReasonInput,
} from '../../../generated/sandbox/closed.ts'
import { toDecimal } from '../kernel/money.ts'
import { toFailure, toReturnReason } from './failure-reason.ts'
import { wrongMove } from './moves.ts'
import type { BankTransferEventRow } from './rows.ts'

/** An event with the field names of the contract. The store assigns its position in the stream. */
export interface BankTransferEventInput extends Omit<BankTransferEvent, 'event_id' | 'timestamp'> {
  /** The default is now. */
  timestamp?: string
}

/** An event as `/bank_transfer/event/sync` shows it. */
export const toBankTransferEvent = (row: BankTransferEventRow): BankTransferEvent => ({
  event_id: row.event_id,
  timestamp: row.timestamp,
  event_type: row.event_type,
  account_id: row.account_id,
  bank_transfer_id: row.bank_transfer_id,
  origination_account_id: row.origination_account_id,
  bank_transfer_type: row.bank_transfer_type,
  bank_transfer_amount: toDecimal(row.bank_transfer_amount),
  bank_transfer_iso_currency_code: row.bank_transfer_iso_currency_code,
  failure_reason:
    row.failure_description === null
      ? null
      : { ach_return_code: row.failure_code, description: row.failure_description },
  direction: row.direction,
  receiver_details: null,
})

const moves: Record<BankTransferEventType, readonly SandboxBankTransferEventType[]> = {
  pending: ['posted', 'failed', 'cancelled'],
  posted: ['reversed'],
  cancelled: [],
  failed: [],
  reversed: [],
}

/** The events that the latest one of a bank transfer allows. */
export const nextBankTransferEvents = (
  latest: BankTransferEventType,
): readonly SandboxBankTransferEventType[] => moves[latest]

/**
 * The event that follows the latest one of a bank transfer. Throws if the status does not allow it.
 */
export function nextBankTransferEvent(
  latest: BankTransferEventRow,
  event_type: SandboxBankTransferEventType,
  reason: SandboxFailureReasonInput | null | undefined,
): BankTransferEventInput {
  if (!moves[latest.event_type].includes(event_type)) {
    throw wrongMove(latest.event_type, moves[latest.event_type])
  }
  // Copies the fields of the transfer, but not the event's id and time.
  const { event_id: _, timestamp: __, ...known } = toBankTransferEvent(latest)
  return { ...known, event_type, failure_reason: toFailureReason(latest, event_type, reason) }
}

function toFailureReason(
  { bank_transfer_type }: BankTransferEventRow,
  event_type: SandboxBankTransferEventType,
  reason: SandboxFailureReasonInput | null | undefined,
): BankTransferEvent['failure_reason'] {
  if (event_type !== 'failed' && event_type !== 'reversed') return null
  const usual = bank_transfer_type === 'debit' ? 'R01' : 'R02'
  const { failure_code, failure_description } =
    event_type === 'failed' ? toFailure(reason) : toReturnReason(reason, { ach: true, usual })
  return { ach_return_code: failure_code, description: failure_description }
}
