import type {
  AchClass,
  BankTransferDirection,
  BankTransferEventType,
  GuaranteeDecision,
  RefundStatus,
  SweepStatus,
  TransferNetwork,
  TransferStatus,
  TransferType,
} from '#contract/closed.ts'

/** A transfer; money in minor units. */
export interface TransferRow {
  transfer_id: string
  authorization_id: string
  account_id: string | null
  funding_account_id: string | null
  ledger_id: string | null
  type: TransferType
  /** JSON, as `metadata` and `sweep_schedule`. */
  transfer_user: string
  amount: number
  description: string
  created: string
  status: TransferStatus
  sweep_status: SweepStatus | null
  network: TransferNetwork
  ach_class: AchClass | null
  message_to_beneficiary: string | null
  wire_return_fee: number | null
  cancellable_until: string | null
  failure_code: string | null
  failure_description: string | null
  metadata: string | null
  origination_account_id: string
  guarantee_decision: GuaranteeDecision | null
  guarantee_code: string | null
  guarantee_description: string | null
  iso_currency_code: string
  standard_return_window: string | null
  unauthorized_return_window: string | null
  expected_settlement_date: string | null
  expected_funds_available_date: string | null
  originator_client_id: string | null
  recurring_transfer_id: string | null
  sweep_schedule: string | null
  facilitator_fee: number | null
  network_trace_id: string | null
  refund_count: number
}

/** A refund, with its position among those of its transfer. */
export interface RefundRow {
  refund_id: string
  transfer_id: string
  position: number
  amount: number
  status: RefundStatus
  failure_code: string | null
  failure_description: string | null
  ledger_id: string | null
  created: string
  network_trace_id: string | null
}

export interface BankTransferEventRow {
  event_id: number
  timestamp: string
  event_type: BankTransferEventType
  account_id: string
  bank_transfer_id: string
  origination_account_id: string | null
  bank_transfer_type: TransferType
  bank_transfer_amount: number
  bank_transfer_iso_currency_code: string
  failure_code: string | null
  failure_description: string | null
  direction: BankTransferDirection | null
}
