import type { Verdict } from './checks.ts'
import { type SampleName, samples } from './pictures/samples.ts'
import type { Finding, StepName } from './step.ts'

/** The code that every message of the sandbox has, and a number that gets none. */
export const knownPhones = { code: '123456', unreachable: '+14155550199' } as const

/** Family names that decide a check of the sandbox. */
export const knownNames = [
  { name: 'Mismatch', step: 'kyc_check', found: 'failed' },
  { name: 'Review', step: 'kyc_check', found: 'pending_review' },
  { name: 'Expired', step: 'kyc_check', found: 'expired' },
  { name: 'Listed', step: 'watchlist_screening', found: 'pending_review' },
  { name: 'Risky', step: 'risk_check', found: 'failed' },
] as const satisfies readonly { name: string; step: StepName; found: Finding | 'expired' }[]

/** How many uploads a person has. */
export const mostUploads = 3

/** The verdict about a sample of the sandbox, by the number of the upload. */
export const verdictOfSample = (name: SampleName, upload: number): Verdict => {
  const { outcome } = samples[name]
  if (outcome !== 'blurred') return { found: outcome }
  return upload < mostUploads ? { again: 'blurred' } : { found: 'failed' }
}
