import type { IdentityVerification } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { stepsOf, userOf } from './attempt.ts'
import { toDocumentaryVerification } from './documentary-verification.ts'
import { evidenceOf } from './evidence.ts'
import { hasResult, hasRun } from './has-result.ts'
import { signImageUrl } from './image-url.ts'
import { toKycCheck } from './kyc-check.ts'
import { picturesOf } from './pictures/of-attempt.ts'
import { toUploads } from './pictures/uploads.ts'
import { resultsOf, toProviderResults } from './provider-results.ts'
import { toRiskCheck } from './risk-check.ts'
import { toSelfieCheck } from './selfie-check.ts'
import { eachStep, type Steps } from './step.ts'
import type { AttemptRow } from './store.ts'
import type { KnownUser, Subject } from './subject.ts'
import { toVerifySms } from './verify-sms.ts'

/** An attempt as every operation shows it; its links to pictures count from now. */
export function toIdentityVerification(ctx: Context, row: AttemptRow): IdentityVerification {
  const steps = stepsOf(row)
  const user = userOf(ctx, row)
  const subject = toSubject(ctx, row, user)
  return {
    id: row.id,
    client_user_id: row.client_user_id,
    created_at: row.created_at,
    completed_at: row.completed_at,
    previous_attempt_id: row.previous_attempt_id,
    shareable_url: toShareableUrl(ctx, row),
    template: { id: row.template_id, version: row.template_version },
    user: toUser(user),
    status: row.status,
    steps: eachStep((name) => steps[name].status),
    ...toResults(subject, steps),
    ...(ctx.settings.environment === 'production'
      ? toProviderResults(subject, steps, resultsOf(ctx, row))
      : {}),
    watchlist_screening_id: hasRun(steps.watchlist_screening) ? row.watchlist_screening_id : null,
    beacon_user_id: null,
    user_id: row.user_id,
    // Nothing here removes personal data from an attempt.
    redacted_at: null,
  }
}

const toSubject = (ctx: Context, row: AttemptRow, user: KnownUser): Subject => ({
  id: row.id,
  created_at: row.created_at,
  user,
  evidence: evidenceOf(ctx, row),
  imageUrl: (name, type) => signImageUrl(ctx, row.id, name, type),
  uploads: toUploads(picturesOf(row), ctx.realMs()),
})

function toShareableUrl(ctx: Context, { id, share_key }: AttemptRow) {
  return share_key === null
    ? null
    : `${ctx.publicUrl}/verify/${id}?key=${ctx.keys.decrypt(share_key)}`
}

const toUser = (user: KnownUser): IdentityVerification['user'] => ({
  phone_number: user.phone_number,
  date_of_birth: user.date_of_birth,
  ip_address: user.ip_address,
  email_address: user.email_address,
  name: user.name,
  address: user.address,
  id_number: user.id_number,
})

type Results = Pick<
  IdentityVerification,
  'documentary_verification' | 'selfie_check' | 'kyc_check' | 'risk_check' | 'verify_sms'
>

/** What the steps found, where they have come to a result. */
function toResults(subject: Subject, steps: Steps): Results {
  const { documentary_verification, selfie_check, kyc_check, risk_check, verify_sms } = steps
  return {
    documentary_verification: hasResult(documentary_verification)
      ? toDocumentaryVerification(subject, documentary_verification)
      : null,
    selfie_check: hasResult(selfie_check)
      ? toSelfieCheck(subject, selfie_check, documentary_verification)
      : null,
    kyc_check: hasResult(kyc_check) ? toKycCheck(subject, kyc_check) : null,
    risk_check: hasRun(risk_check) ? toRiskCheck(subject, risk_check) : null,
    verify_sms: hasResult(verify_sms) ? toVerifySms(subject, verify_sms) : null,
  }
}
