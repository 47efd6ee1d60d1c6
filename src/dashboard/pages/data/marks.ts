import type { Schemas } from '../../data/api.ts'
import type { Kind, Mark } from '../../data/status.ts'
import { capital } from '../../data/words.ts'

/** A value of the contract as words: `funds_available` is "Funds available". */
export const wordsOf = (value: string): string => capital(value.toLowerCase().replaceAll('_', ' '))

const kinds = {
  report: { pending: 'wait', ready: 'good', failed: 'bad' },
  wallet: { UNKNOWN: 'warn', ACTIVE: 'good', CLOSED: 'none' },
  transfer: {
    pending: 'wait',
    posted: 'wait',
    settled: 'good',
    funds_available: 'good',
    cancelled: 'none',
    failed: 'bad',
    returned: 'bad',
  },
  bankTransfer: {
    pending: 'wait',
    posted: 'good',
    cancelled: 'none',
    failed: 'bad',
    reversed: 'bad',
  },
  health: { HEALTHY: 'good', DEGRADED: 'warn', DOWN: 'bad' },
} as const satisfies Record<string, Record<string, Kind>>

export const reportStatuses = Object.keys(kinds.report) as Schemas['DashboardReportStatus'][]
export const walletStatuses = Object.keys(kinds.wallet) as Schemas['WalletStatus'][]
export const transferStatuses = Object.keys(kinds.transfer) as Schemas['TransferStatus'][]

export const networkWords: Record<Schemas['TransferNetwork'], string> = {
  ach: 'ACH',
  'same-day-ach': 'Same-day ACH',
  rtp: 'RTP',
  wire: 'Wire',
}

const marksBy =
  <Value extends string>(known: Record<Value, Kind>) =>
  (value: Value): Mark => ({ kind: known[value], text: wordsOf(value) })

export const markOfReport = marksBy<Schemas['DashboardReportStatus']>(kinds.report)
export const markOfWallet = marksBy<Schemas['WalletStatus']>(kinds.wallet)
/** Refunds have a part of these statuses. */
export const markOfTransfer = marksBy<Schemas['TransferStatus']>(kinds.transfer)
export const markOfBankTransfer = marksBy<Schemas['BankTransferEventType']>(kinds.bankTransfer)
export const markOfHealth = marksBy<Schemas['InstitutionHealth']>(kinds.health)
