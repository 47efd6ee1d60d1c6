import { randomInt } from 'node:crypto'
import type { Context, Settings } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { insertCheck } from '../queue/identity-check-store.ts'
import type { Checks } from './checks.ts'
import type { StepName } from './step.ts'
import type { AttemptRow, TemplateRow } from './store.ts'

/** The steps that need somebody to do them, whom only a provider knows. */
export const stepsOfProviders: readonly StepName[] = [
  'verify_sms',
  'documentary_verification',
  'selfie_check',
  'watchlist_screening',
  'risk_check',
]

/** What is sent beside the attempt. */
export interface CheckPayload {
  message?: { phone_number: string; code: string }
  upload?: number
}

/** The checks of production. What nobody serves waits for a reviewer. */
export const providerChecks = (settings: Pick<Settings, 'identityGateway'>): Checks => {
  const serves = (step: StepName) => settings.identityGateway?.steps.includes(step) ?? false
  return {
    serves,
    newCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
    async sendCode(ctx, attempt, { phone_number, code }) {
      if (!serves('verify_sms')) return false
      await planCheck(ctx, attempt, 'verify_sms', { message: { phone_number, code } })
      return true
    },
    async submit(ctx, attempt, submission) {
      if (!serves(submission.step)) return { found: 'pending_review' }
      const payload = 'upload' in submission ? { upload: submission.upload } : {}
      await planCheck(ctx, attempt, submission.step, payload)
      return 'pending'
    },
  }
}

/** Writes a check that is due at once. The worker calls the provider after the commit. */
async function planCheck(
  ctx: Context,
  { id }: AttemptRow,
  step: StepName,
  payload: CheckPayload,
): Promise<void> {
  const now = ctx.realMs()
  await insertCheck(ctx, {
    check_id: ctx.newId('uuid'),
    attempt_id: id,
    step,
    payload: ctx.keys.encrypt(JSON.stringify(payload)),
    created_at: now,
    due_at: now,
  })
  ctx.beginDueWork()
}

/** Rejects a template with a step that no provider serves. In the sandbox, each step is invented. */
export function requireServed(
  { settings }: Context,
  template: TemplateRow,
  field = 'template_id',
): void {
  if (settings.environment === 'sandbox') return
  const { serves } = providerChecks(settings)
  const steps: StepName[] = JSON.parse(template.steps)
  const missing = steps.filter((step) => stepsOfProviders.includes(step) && !serves(step))
  if (missing.length === 0) return
  const names = missing.map((step) => `\`${step}\``).join(', ')
  throw invalidField(
    `\`${field}\` must name a template whose steps are served; no provider serves ${names}`,
  )
}
