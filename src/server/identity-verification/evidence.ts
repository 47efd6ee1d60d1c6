import type { SmsVerification } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { PictureFlaw } from './checks.ts'
import type { SampleName } from './pictures/samples.ts'
import type { Finding, StepName } from './step.ts'
import type { AttemptRow } from './store.ts'

/** What a person did on the page of an attempt. */
export interface Evidence {
  /** The step whose check runs, and since when. */
  waiting?: { step: StepName; since: string } | undefined
  sms?: SmsEvidence
  documents?: readonly DocumentUpload[]
  selfies?: readonly Upload[]
  /** The webhook of the link token that led to the page. */
  webhook?: string | undefined
}

/** The numbers that were tried, and the code that is open. */
export interface SmsEvidence {
  verifications: readonly Omit<SmsVerification, 'redacted_at'>[]
  /** How many messages were sent. */
  deliveries: number
  code?: OpenCode
}

export interface OpenCode {
  hash: string
  /** In ms by the client's clock. */
  expires_at: number
}

/** Pictures that a person sent. */
export interface Upload {
  upload: number
  at: string
  /** The sample of the sandbox that stands in for a picture. */
  sample?: SampleName
  flaw?: PictureFlaw
  found?: Finding
}

export interface DocumentUpload extends Upload {
  category: DocumentKind
  country: string
}

/** The documents that a person can choose. */
export const documentKinds = [
  'passport',
  'drivers_license',
  'id_card',
  'residence_permit_card',
] as const

export type DocumentKind = (typeof documentKinds)[number]

/** Passports have their data on one page. */
export const hasBack = (kind: DocumentKind): boolean => kind !== 'passport'

/** What is known of an attempt whose person used the page. */
export const evidenceOf = (
  { keys }: Pick<Context, 'keys'>,
  { evidence }: Pick<AttemptRow, 'evidence'>,
): Evidence => (evidence === null ? {} : (JSON.parse(keys.decrypt(evidence)) as Evidence))

/** The column with changes. */
export const withEvidence = (
  ctx: Pick<Context, 'keys'>,
  row: AttemptRow,
  changes: Evidence,
): AttemptRow => ({
  ...row,
  evidence: ctx.keys.encrypt(JSON.stringify({ ...evidenceOf(ctx, row), ...changes })),
})

/** The check that an attempt waits for, while its step is still open. */
export function waitingStep(ctx: Pick<Context, 'keys'>, row: AttemptRow, active?: StepName) {
  const { waiting } = evidenceOf(ctx, row)
  return waiting !== undefined && waiting.step === active ? waiting.step : undefined
}
