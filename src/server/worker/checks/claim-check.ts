import { stepsOf, userOf } from '../../identity-verification/attempt.ts'
import { signImageUrl } from '../../identity-verification/image-url.ts'
import { picturesOf } from '../../identity-verification/pictures/of-attempt.ts'
import type { CheckPayload } from '../../identity-verification/provider-checks.ts'
import { settleCheck } from '../../identity-verification/settle-check.ts'
import { currentStep, type StepName } from '../../identity-verification/step.ts'
import { type AttemptRow, findAttempt } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import type { CheckSubmission, ServedStep } from '../../protocols/identity-provider.ts'
import {
  type CheckKey,
  type CheckRow,
  claimCheck,
  deleteCheck,
  findCheck,
} from '../../queue/identity-check-store.ts'
import { currentKey } from '../../webhooks/key.ts'
import type { SigningKey } from '../../webhooks/sign.ts'
import { inClient } from './in-check.ts'
import { endOf } from './plan.ts'

/** Longer than a call and its commit take, so an older claim is of a process that has died. */
const leaseMs = 120_000

/** A claimed check, and what is sent for it. */
export interface ClaimedCheck {
  row: CheckRow
  submission: CheckSubmission
  key: SigningKey
}

/** Claims a check that is due. Ends one that nobody waits for any longer. */
export const claim = (service: Service, key: CheckKey): Promise<ClaimedCheck | undefined> =>
  inClient(service, key, async (ctx) => {
    const now = service.clock()
    const row = await findCheck(ctx, key.check_id)
    if (!row || row.due_at > now || row.leased_until > now) return undefined
    const attempt = await findAttempt(ctx, row.attempt_id)
    if (!attempt || !isOpen(attempt, row)) return void (await deleteCheck(ctx, row))
    if (now >= endOf(row)) return void (await giveUp(ctx, row))
    const leased_until = now + leaseMs
    if (!(await claimCheck(ctx, row, now, leased_until))) return undefined
    return {
      row: { ...row, leased_until, fence: row.fence + 1 },
      submission: toSubmission(ctx, attempt, row),
      key: await currentKey(ctx),
    }
  })

/** Whether the attempt still waits for the step. It may have expired, or a reviewer was faster. */
const isOpen = (attempt: AttemptRow, { step }: CheckRow): boolean =>
  attempt.status === 'active' && currentStep(stepsOf(attempt)) === step

/** A provider that does not answer for so long leaves the decision to a reviewer. */
async function giveUp(ctx: Context, row: CheckRow): Promise<void> {
  await deleteCheck(ctx, row)
  if (row.step === 'verify_sms') return
  const step = { identity_verification_id: row.attempt_id, step: row.step as StepName }
  await settleCheck(ctx, step, { found: 'pending_review' })
}

function toSubmission(ctx: Context, attempt: AttemptRow, row: CheckRow): CheckSubmission {
  const payload: CheckPayload =
    row.payload === null ? {} : JSON.parse(ctx.keys.decrypt(row.payload))
  const { message, upload } = payload
  const check = {
    check_id: row.check_id,
    client_id: row.client_id,
    identity_verification_id: row.attempt_id,
    step: row.step as ServedStep,
  }
  if (message) return { ...check, message }
  const pictures = upload === undefined ? {} : { pictures: toPictures(ctx, attempt, row, upload) }
  return { ...check, user: userOf(ctx, attempt), ...pictures }
}

/** The pictures of an upload. A selfie is compared with the document. */
function toPictures(ctx: Context, attempt: AttemptRow, { step }: CheckRow, upload: number) {
  const all = picturesOf(attempt)
  const isSelfie = step === 'selfie_check'
  const sent = all.filter(({ name }) => name.endsWith(`_${upload}`))
  const shown = sent.filter(({ name }) => name.startsWith('selfie') === isSelfie)
  const fronts = all.filter(({ name }) => isSelfie && name.startsWith('original_front'))
  return [...shown, ...fronts.slice(-1)].map(({ name, type }) => ({
    name,
    url: signImageUrl(ctx, attempt.id, name, type),
  }))
}
