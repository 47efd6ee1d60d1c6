import type { Schemas } from '../../data/api.ts'
import type { Mark } from '../../data/status.ts'
import { capital } from '../../data/words.ts'
import { markOfResult, type StepName, wordsOf } from './words.ts'

type Verification = Schemas['IdentityVerification']
type Analysis = Schemas['DocumentAnalysis']

/** One thing that a check found. */
export interface Finding {
  step: StepName
  name: string
  mark: Mark
}

/** Checks of one object whose fields are named after what they check. */
const namedAfter = (step: StepName, checks: object | null | undefined): Finding[] =>
  Object.entries(checks ?? {})
    .filter(([, result]) => typeof result === 'string')
    .map(([name, result]) => ({
      step,
      name: capital(name.replaceAll('_', ' ').replace(/ check$/, '')),
      mark: markOfResult(result as string),
    }))

const good = (text: string): Mark => ({ kind: 'good', text })
const quality: Record<Analysis['image_quality'], Mark['kind']> = {
  high: 'good',
  medium: 'warn',
  low: 'bad',
}

/** What was found on the pictures of one document. */
export function findingsOfDocument({ analysis }: Schemas['DocumentSubmission']): Finding[] {
  const step = 'documentary_verification'
  const { authenticity, image_quality, extracted_data, human_review } = analysis
  return [
    { step, name: 'Authenticity', mark: markOfResult(authenticity) },
    {
      step,
      name: 'Image quality',
      mark: { kind: quality[image_quality], text: wordsOf(image_quality) },
    },
    ...namedAfter(step, extracted_data),
    ...namedAfter(step, analysis.fraud_analysis_details),
    ...namedAfter(step, analysis.image_quality_details),
    ...(human_review
      ? [{ step, name: 'Review by a person', mark: markOfResult(human_review.status) } as const]
      : []),
  ]
}

/** What was found on one selfie. */
export function findingsOfSelfie({ analysis }: Schemas['Selfie']): Finding[] {
  const step = 'selfie_check'
  return [
    { step, name: 'Face and document', mark: markOfResult(analysis.document_comparison) },
    { step, name: 'Liveness', mark: markOfResult(analysis.liveness_check) },
    ...namedAfter(step, analysis.facial_analysis),
  ]
}

function ofPhone({ verify_sms }: Verification): Finding[] {
  return (verify_sms?.verifications ?? []).map(({ attempt, status, solve_attempt_count }) => ({
    step: 'verify_sms',
    name: `Code ${attempt}, entered ${solve_attempt_count} ${solve_attempt_count === 1 ? 'time' : 'times'}`,
    mark: markOfResult(status),
  }))
}

const yesOrNo = (value: string): Mark => {
  if (value === 'yes') return { kind: 'bad', text: 'Yes' }
  return value === 'no' ? good('No') : markOfResult(value)
}
const score = (value: { score: number } | null | undefined): Mark =>
  value ? { kind: value.score < 50 ? 'good' : 'bad', text: `${value.score} of 100` } : noScore
const noScore: Mark = { kind: 'none', text: 'Not checked' }

function ofRisk({ risk_check }: Verification): Finding[] {
  if (!risk_check) return []
  const step = 'risk_check'
  const { behavior, email, phone, devices, identity_abuse_signals: abuse } = risk_check
  const rows: [name: string, mark: Mark][] = [
    ...(behavior
      ? ([
          ['Behavior of the user', markOfResult(behavior.user_interactions)],
          ['Known fraud ring', yesOrNo(behavior.fraud_ring_detected)],
          ['Bot', yesOrNo(behavior.bot_detected)],
        ] as [string, Mark][])
      : []),
    ['E-mail address', markOfResult(email?.risk_level)],
    ['Phone number', markOfResult(phone?.risk_level)],
    ...devices.map(
      ({ ip_proxy_type }, index) =>
        [
          `Network of device ${index + 1}`,
          ip_proxy_type === 'none_detected' ? good('No proxy') : markOfProxy(ip_proxy_type),
        ] as [string, Mark],
    ),
    ['Synthetic identity, score', score(abuse?.synthetic_identity)],
    ['Stolen identity, score', score(abuse?.stolen_identity)],
  ]
  return rows.map(([name, mark]) => ({ step, name, mark }))
}

const markOfProxy = (type: string | null): Mark =>
  type === null ? noScore : { kind: 'bad', text: wordsOf(type) }

/** What the checks without pictures found, those of the records excepted. */
export const findingsOf = (verification: Verification): Finding[] => [
  ...ofPhone(verification),
  ...ofRisk(verification),
]
