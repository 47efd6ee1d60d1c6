import type { TransferUser, WireDetails } from '#contract/closed.ts'
import type { SandboxTransferCreateRequest } from '../../../generated/sandbox/closed.ts'
import { businessAccountOf } from './business-account.ts'
import { planSubmission, settlementDate, toFundsDates } from './submission.ts'
import type { TransferInput } from './transfer.ts'

type Order = Omit<SandboxTransferCreateRequest, 'client_id' | 'secret'>

/** Omitted fields are null. */
const toUser = ({ user }: Order): TransferUser => ({
  legal_name: user.legal_name,
  phone_number: user.phone_number ?? null,
  email_address: user.email_address ?? null,
  address: user.address
    ? {
        street: user.address.street ?? null,
        city: user.address.city ?? null,
        region: user.address.region ?? null,
        postal_code: user.address.postal_code ?? null,
        country: user.address.country ?? null,
      }
    : null,
})

const toWireDetails = ({ network, wire_details }: Order): WireDetails | null =>
  network !== 'wire'
    ? null
    : {
        message_to_beneficiary: wire_details?.message_to_beneficiary ?? null,
        wire_return_fee: wire_details?.wire_return_fee ?? null,
      }

const toGuarantee = (decision: Order['guarantee_decision']) => ({
  guarantee_decision: decision ?? null,
  guarantee_decision_rationale:
    decision !== 'NOT_GUARANTEED'
      ? null
      : {
          code: 'RISK_ESTIMATE_UNAVAILABLE' as const,
          description: 'Too little is known about the account to estimate the risk of a return.',
        },
})

/** A transfer that is authorized and created now, with its expected dates. */
export function toNewTransfer(order: Order, clientId: string, now: string): TransferInput {
  const submission = planSubmission(order.network, now)
  const { network } = submission
  const settlement = settlementDate(submission)
  const { available, schedule } = toFundsDates({ ...order, network }, settlement)
  return {
    ...(order.ach_class === undefined ? {} : { ach_class: order.ach_class }),
    account_id: order.account_id,
    funding_account_id: businessAccountOf(clientId, 'funding'),
    ledger_id: businessAccountOf(clientId, 'ledger'),
    type: order.type,
    user: toUser(order),
    amount: order.amount,
    description: order.description,
    created: now,
    status: 'pending',
    // A wire is funded from the ledger immediately.
    sweep_status: network === 'wire' ? null : 'unswept',
    network,
    wire_details: toWireDetails(order),
    cancellable_until: submission.deadline,
    failure_reason: null,
    metadata: order.metadata ?? null,
    origination_account_id: '',
    ...toGuarantee(order.guarantee_decision),
    iso_currency_code: 'USD',
    standard_return_window: null,
    unauthorized_return_window: null,
    expected_settlement_date: settlement,
    expected_funds_available_date: available,
    originator_client_id: order.originator_client_id ?? null,
    recurring_transfer_id: order.recurring_transfer_id ?? null,
    ...(schedule === null ? {} : { expected_sweep_settlement_schedule: schedule }),
    credit_funds_source: null,
    network_trace_id: null,
  }
}
