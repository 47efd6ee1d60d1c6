import type { Schemas } from '../../data/api.ts'
import type { Kind, Mark } from '../../data/status.ts'
import { capital } from '../../data/words.ts'

type Status = Schemas['IdentityVerificationStatus']
type StepStatus = Schemas['StepStatus']
export type StepName = Schemas['SandboxStepName']

/** A value of the contract as words: `no_match` becomes "No match". */
export const wordsOf = (value: string): string => capital(value.replaceAll('_', ' '))

const ofStatus: Record<Status, Kind> = {
  active: 'wait',
  pending_review: 'warn',
  failed: 'bad',
  success: 'good',
  expired: 'none',
  canceled: 'none',
}

export const markOfStatus = (status: Status): Mark => ({
  kind: ofStatus[status],
  text: wordsOf(status),
})

const ofStep: Partial<Record<StepStatus, Kind>> = {
  active: 'wait',
  success: 'good',
  manually_approved: 'good',
  failed: 'bad',
  manually_rejected: 'bad',
  pending_review: 'warn',
}

export const markOfStep = (status: StepStatus): Mark => ({
  kind: ofStep[status] ?? 'none',
  text: status === 'waiting_for_prerequisite' ? 'Waiting' : wordsOf(status),
})

/** The steps in their order, with what each asks. */
export const stepWords: Record<StepName, string> = {
  accept_tos: 'Terms',
  verify_sms: 'Phone number',
  kyc_check: 'Records',
  documentary_verification: 'Document',
  selfie_check: 'Selfie',
  watchlist_screening: 'Watchlists',
  risk_check: 'Risk',
}

const ofResult: Record<string, Kind> = {
  match: 'good',
  success: 'good',
  not_expired: 'good',
  genuine: 'good',
  low: 'good',
  partial_match: 'warn',
  medium: 'warn',
  neutral: 'warn',
  no_match: 'bad',
  failed: 'bad',
  expired: 'bad',
  risky: 'bad',
  high: 'bad',
}

/** What a check came to. Without data there is no judgement. */
export const markOfResult = (result: string | null | undefined): Mark =>
  result == null
    ? { kind: 'none', text: 'Not checked' }
    : { kind: ofResult[result] ?? 'none', text: wordsOf(result) }

export const actionWords: Record<Schemas['DashboardVerificationAction'], string> = {
  approve_step: 'Approved',
  reject_step: 'Rejected',
  cancel: 'Canceled the attempt',
  retry: 'Created a retry',
}

export const selectionWords: Record<Schemas['DashboardVerificationSelection'], string> = {
  to_review: 'To review',
  all: 'All',
  active: 'Active',
  pending_review: 'Pending review',
  failed: 'Failed',
  success: 'Success',
  expired: 'Expired',
  canceled: 'Canceled',
}

/** What a reviewer did, and with which step. */
export const decisionWords = ({
  action,
  step,
}: Pick<Schemas['DashboardVerificationDecision'], 'action' | 'step'>): string =>
  step === null ? actionWords[action] : `${actionWords[action]} ${stepWords[step].toLowerCase()}`
