import type {
  GuaranteeDecisionRationale,
  Refund,
  Transfer,
  TransferMetadata,
  TransferUser,
  WireDetails,
} from '#contract/closed.ts'
import { fromDecimal, toDecimal } from '../kernel/money.ts'
import { readFailureReason } from './failure-reason.ts'
import { toRefund } from './refund.ts'
import type { RefundRow, TransferRow } from './rows.ts'
import { planSubmission } from './submission.ts'

/** A refund with the field names of the contract. The service assigns its ids. */
export type RefundInput = Omit<Refund, 'id' | 'transfer_id'> & { id?: string }

/** A transfer with the field names of the contract, in any state. */
export interface TransferInput
  extends Omit<Transfer, 'id' | 'authorization_id' | 'cancellable' | 'refunds'> {
  id?: string
  authorization_id?: string
  /** Until when a pending transfer can be cancelled. The default is the cut-off of its network. */
  cancellable_until?: string | null
  refunds?: RefundInput[]
}

const toMinorOrNull = (decimal: string | null | undefined): number | null =>
  decimal == null ? null : fromDecimal(decimal)

const toDecimalOrNull = (minor: number | null): string | null =>
  minor === null ? null : toDecimal(minor)

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** The row of a transfer from seed data or a request, without refunds. */
export function toTransferRow(input: TransferInput, newUuid: () => string): TransferRow {
  const deadline = () => planSubmission(input.network, input.created).deadline
  return {
    transfer_id: input.id ?? newUuid(),
    authorization_id: input.authorization_id ?? newUuid(),
    account_id: input.account_id ?? null,
    funding_account_id: input.funding_account_id,
    ledger_id: input.ledger_id ?? null,
    type: input.type,
    transfer_user: JSON.stringify(input.user),
    amount: fromDecimal(input.amount),
    description: input.description,
    created: input.created,
    status: input.status,
    sweep_status: input.sweep_status ?? null,
    network: input.network,
    ach_class: input.ach_class ?? null,
    message_to_beneficiary: input.wire_details?.message_to_beneficiary ?? null,
    wire_return_fee: toMinorOrNull(input.wire_details?.wire_return_fee),
    cancellable_until: input.cancellable_until === undefined ? deadline() : input.cancellable_until,
    failure_code: input.failure_reason?.failure_code ?? null,
    failure_description: input.failure_reason?.description ?? null,
    metadata: toJson(input.metadata),
    origination_account_id: input.origination_account_id,
    guarantee_decision: input.guarantee_decision,
    guarantee_code: input.guarantee_decision_rationale?.code ?? null,
    guarantee_description: input.guarantee_decision_rationale?.description ?? null,
    iso_currency_code: input.iso_currency_code,
    standard_return_window: input.standard_return_window,
    unauthorized_return_window: input.unauthorized_return_window,
    expected_settlement_date: input.expected_settlement_date,
    expected_funds_available_date: input.expected_funds_available_date ?? null,
    originator_client_id: input.originator_client_id ?? null,
    recurring_transfer_id: input.recurring_transfer_id,
    sweep_schedule: toJson(input.expected_sweep_settlement_schedule),
    facilitator_fee: toMinorOrNull(input.facilitator_fee),
    network_trace_id: input.network_trace_id ?? null,
    refund_count: 0,
  }
}

/** Whether a transfer has not been submitted to its network yet. */
export const canCancel = (row: TransferRow, now: string): boolean =>
  row.status === 'pending' && (row.cancellable_until === null || now < row.cancellable_until)

/** Only a returned wire shows the return fee of the banks. */
const toWireDetails = (row: TransferRow): WireDetails | null =>
  row.network !== 'wire'
    ? null
    : {
        message_to_beneficiary: row.message_to_beneficiary,
        wire_return_fee: row.status === 'returned' ? toDecimalOrNull(row.wire_return_fee) : null,
      }

const toRationale = (row: TransferRow): Transfer['guarantee_decision_rationale'] =>
  row.guarantee_code === null
    ? null
    : {
        code: row.guarantee_code as GuaranteeDecisionRationale['code'],
        description: row.guarantee_description ?? '',
      }

/** A transfer as `/transfer/get` shows it at a given time. */
export const toTransfer = (
  row: TransferRow,
  refunds: readonly RefundRow[],
  now: string,
): Transfer => ({
  id: row.transfer_id,
  authorization_id: row.authorization_id,
  ...(row.ach_class === null ? {} : { ach_class: row.ach_class }),
  ...(row.account_id === null ? {} : { account_id: row.account_id }),
  funding_account_id: row.funding_account_id,
  ledger_id: row.ledger_id,
  type: row.type,
  user: JSON.parse(row.transfer_user) as TransferUser,
  amount: toDecimal(row.amount),
  description: row.description,
  created: row.created,
  status: row.status,
  sweep_status: row.sweep_status,
  network: row.network,
  wire_details: toWireDetails(row),
  cancellable: canCancel(row, now),
  failure_reason: readFailureReason(row),
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as TransferMetadata),
  origination_account_id: row.origination_account_id,
  guarantee_decision: row.guarantee_decision,
  guarantee_decision_rationale: toRationale(row),
  iso_currency_code: row.iso_currency_code,
  standard_return_window: row.standard_return_window,
  unauthorized_return_window: row.unauthorized_return_window,
  expected_settlement_date: row.expected_settlement_date,
  expected_funds_available_date: row.expected_funds_available_date,
  originator_client_id: row.originator_client_id,
  refunds: refunds.map(toRefund),
  recurring_transfer_id: row.recurring_transfer_id,
  ...(row.sweep_schedule === null
    ? {}
    : { expected_sweep_settlement_schedule: JSON.parse(row.sweep_schedule) }),
  credit_funds_source: null,
  ...(row.facilitator_fee === null ? {} : { facilitator_fee: toDecimal(row.facilitator_fee) }),
  network_trace_id: row.network_trace_id,
})
