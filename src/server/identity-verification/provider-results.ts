import type {
  DocumentaryVerification,
  IdentityVerification,
  SelfieCheck,
} from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { CheckResults } from '../protocols/identity-provider.ts'
import { toUploadedDocuments } from './documentary-verification.ts'
import { hasResult, hasRun } from './has-result.ts'
import { toUploadedSelfies } from './selfie-check.ts'
import type { StepState, Steps } from './step.ts'
import type { AttemptRow } from './store.ts'
import type { Subject } from './subject.ts'

/** What providers found in an attempt, by step. */
export const resultsOf = (
  { keys }: Pick<Context, 'keys'>,
  { results }: Pick<AttemptRow, 'results'>,
): CheckResults => (results === null ? {} : JSON.parse(keys.decrypt(results)))

/** What the steps found, as providers said it. Production invents nothing. */
export function toProviderResults(
  subject: Subject,
  steps: Steps,
  found: CheckResults,
): Pick<
  IdentityVerification,
  'kyc_check' | 'documentary_verification' | 'selfie_check' | 'risk_check'
> {
  const { kyc_check, documentary_verification, selfie_check, risk_check } = steps
  return {
    kyc_check:
      found.kyc_check && hasResult(kyc_check)
        ? { ...found.kyc_check, status: kyc_check.status }
        : null,
    documentary_verification:
      found.documentary_verification && hasResult(documentary_verification)
        ? toDocuments(subject, documentary_verification, found.documentary_verification)
        : null,
    selfie_check:
      found.selfie_check && hasResult(selfie_check)
        ? toSelfies(subject, selfie_check, found.selfie_check)
        : null,
    risk_check:
      found.risk_check && hasRun(risk_check)
        ? { ...found.risk_check, status: risk_check.status }
        : null,
  } as ReturnType<typeof toProviderResults>
}

function toDocuments(
  subject: Subject,
  step: StepState,
  found: NonNullable<CheckResults['documentary_verification']>,
): DocumentaryVerification {
  const status = step.found === 'failed' ? 'failed' : 'success'
  const documents = toUploadedDocuments(subject, {
    ...(found as Pick<DocumentaryVerification['documents'][number], 'extracted_data' | 'analysis'>),
    status: step.status === 'manually_approved' ? 'manually_approved' : status,
    attempt: 1,
    images: noImages,
    redacted_at: null,
  })
  return { status: step.status, documents }
}

/** The uploads say which there are. */
const noImages = {
  original_front: null,
  original_back: null,
  cropped_front: null,
  cropped_back: null,
  face: null,
}

function toSelfies(
  subject: Subject,
  step: StepState,
  analysis: NonNullable<CheckResults['selfie_check']>,
): SelfieCheck {
  const status = step.found === 'failed' ? 'failed' : 'success'
  return { status, selfies: toUploadedSelfies(subject, status, analysis) }
}
