import { useAction } from '../../data/action.ts'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useSession } from '../../data/session.ts'
import { wordsOf } from './marks.ts'

/** What the payment network can do, in words. */
export const eventWords: Record<string, string> = {
  posted: 'It is submitted to the payment network.',
  settled: 'The network completes it.',
  funds_available: 'The money of an ACH debit can be used.',
  cancelled: 'It is canceled before it was submitted.',
  failed: 'It fails, and no money moves.',
  returned: 'It comes back from the other bank.',
  reversed: 'It is reversed.',
}

/** Events that the other bank gives a reason for. */
export const withCode: readonly string[] = ['returned', 'reversed']

/** What is to happen to a transfer, a refund or a bank transfer. */
export interface Simulated<Event extends string = string> {
  id: string
  event_type: Event
  failure_code?: string
}

const shown = ['transfer', 'transfers', 'bank-transfers']
const ofEvent = { event_type: 'Event', failure_code: 'Return code' }
const ofAmount = { amount: 'Amount' }
const ofWallet = {
  status: 'Status',
  'balance.current': 'Current balance',
  'balance.available': 'Available balance',
}

type TransferEvent = Schemas['SandboxTransferEventType']

export function useSimulateTransfer() {
  const { scope } = useSession()
  return useAction({
    send: ({ id, ...event }: Simulated<TransferEvent>) =>
      answerOf(
        api.POST('/dashboard/api/transfer/simulate', {
          body: { ...scope.value, transfer_id: id, ...event },
        }),
      ),
    labels: ofEvent,
    done: (_answer, { event_type }) => `The transfer: ${wordsOf(event_type).toLowerCase()}`,
    changes: shown,
  })
}

type RefundEvent = Schemas['RefundStatus'] & Schemas['SandboxRefundEventType']

export function useSimulateRefund() {
  const { scope } = useSession()
  return useAction({
    send: ({ id, ...event }: Simulated<RefundEvent>) =>
      answerOf(
        api.POST('/dashboard/api/refund/simulate', {
          body: { ...scope.value, refund_id: id, ...event },
        }),
      ),
    labels: ofEvent,
    done: (_answer, { event_type }) => `The refund: ${wordsOf(event_type).toLowerCase()}`,
    changes: shown,
  })
}

type BankTransferEvent = Schemas['SandboxBankTransferEventType']

export function useSimulateBankTransfer() {
  const { scope } = useSession()
  return useAction({
    send: ({ id, ...event }: Simulated<BankTransferEvent>) =>
      answerOf(
        api.POST('/dashboard/api/bank_transfer/simulate', {
          body: { ...scope.value, bank_transfer_id: id, ...event },
        }),
      ),
    labels: ofEvent,
    done: (_answer, { event_type }) => `The bank transfer: ${wordsOf(event_type).toLowerCase()}`,
    changes: shown,
  })
}

export function useSweep() {
  const { scope } = useSession()
  type Sweep = { transfer_id: string; sweep_status: Schemas['SweepStatus'] }
  return useAction({
    send: (sweep: Sweep) =>
      answerOf(
        api.POST('/dashboard/api/transfer/sweep/simulate', { body: { ...scope.value, ...sweep } }),
      ),
    labels: { sweep_status: 'Sweep status' },
    done: (_answer, { sweep_status }) => `The sweep: ${wordsOf(sweep_status).toLowerCase()}`,
    changes: shown,
  })
}

export function useCreateRefund() {
  const { scope } = useSession()
  return useAction({
    send: (refund: { transfer_id: string; amount: string }) =>
      answerOf(api.POST('/dashboard/api/refund/create', { body: { ...scope.value, ...refund } })),
    labels: ofAmount,
    done: () => 'The refund is pending',
    changes: shown,
  })
}

type WalletState = Omit<Schemas['DashboardWalletSimulateRequest'], 'client_id'>

export function useSetWallet() {
  const { scope } = useSession()
  return useAction({
    send: (state: WalletState) =>
      answerOf(api.POST('/dashboard/api/wallet/simulate', { body: { ...scope.value, ...state } })),
    labels: ofWallet,
    done: () => 'The state of the wallet is set',
    changes: ['wallet', 'wallets'],
  })
}

export function useMoveMoney() {
  const { scope } = useSession()
  return useAction({
    send: (moved: { wallet_id: string; amount: number }) =>
      answerOf(
        api.POST('/dashboard/api/wallet/transaction/create', {
          body: { ...scope.value, ...moved },
        }),
      ),
    labels: ofAmount,
    done: (_answer, { amount }) =>
      amount > 0 ? 'The money has come into the wallet' : 'The money has left the wallet',
    changes: ['wallet', 'wallets'],
  })
}
