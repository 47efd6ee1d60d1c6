import type { VerificationInsights, VerificationStatus } from '#contract/closed.ts'
import type { SandboxVerificationInsightsInput } from '../../../generated/sandbox/closed.ts'
import { invalidField } from '../kernel/errors.ts'
import { dayMs } from '../kernel/time.ts'
import type { AccountRow } from './account-store.ts'

/** How long the service waits for its own micro-deposits. */
export const automaticWindow = 7 * dayMs

const manualAttempts = 3

const insights: Partial<Record<VerificationStatus, VerificationInsights>> = {
  database_insights_pass: {
    name_match_score: 96,
    network_status: { has_numbers_match: true, is_numbers_match_verified: true },
    previous_returns: { has_previous_administrative_return: false },
    account_number_format: 'valid',
  },
  database_insights_pass_with_caution: {
    name_match_score: 71,
    network_status: { has_numbers_match: true, is_numbers_match_verified: false },
    previous_returns: { has_previous_administrative_return: false },
    account_number_format: 'valid',
  },
  database_insights_fail: {
    name_match_score: 12,
    network_status: { has_numbers_match: false, is_numbers_match_verified: false },
    previous_returns: { has_previous_administrative_return: true },
    account_number_format: 'invalid',
  },
}

type VerificationColumns = Pick<
  AccountRow,
  'verification_status' | 'verification_insights' | 'verification_attempts'
>

/** An account's columns for a status. Only statuses that are based on evidence have insights. */
export function toVerificationColumns(
  status: VerificationStatus | null,
  given?: VerificationInsights | null,
): VerificationColumns {
  const own = status === null ? undefined : insights[status]
  return {
    verification_status: status,
    verification_insights: own ? JSON.stringify(given ?? own) : null,
    verification_attempts: 0,
  }
}

interface Attempt {
  status: VerificationStatus
  attempts: number
}

/** The verification status of an account after an attempt by micro-deposits. */
export function nextVerification(
  row: Pick<AccountRow, 'verification_status' | 'verification_attempts'>,
  success: boolean,
): Attempt {
  if (row.verification_status === 'pending_automatic_verification') {
    return { status: success ? 'automatically_verified' : 'verification_expired', attempts: 0 }
  }
  if (row.verification_status !== 'pending_manual_verification') {
    throw invalidField('`account_id` must name an account that waits for its verification')
  }
  if (success) return { status: 'manually_verified', attempts: 0 }
  const attempts = row.verification_attempts + 1
  const isLast = attempts >= manualAttempts
  return { status: isLast ? 'verification_failed' : row.verification_status, attempts }
}

/** Removes fields that are omitted or null, since both mean unknown. */
export function toInsights(input: SandboxVerificationInsightsInput): VerificationInsights {
  const { name_match_score, network_status, previous_returns, account_number_format } = input
  const { has_numbers_match, is_numbers_match_verified } = network_status
  return {
    ...(typeof name_match_score === 'number' ? { name_match_score } : {}),
    network_status: { has_numbers_match, is_numbers_match_verified },
    ...(previous_returns
      ? {
          previous_returns: {
            has_previous_administrative_return: previous_returns.has_previous_administrative_return,
          },
        }
      : {}),
    account_number_format,
  }
}
