import { startRetry } from '../../identity-verification/retry.ts'
import { insertAttempt, requireTemplate } from '../../identity-verification/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { readForDecision, writeDecision } from './decide.ts'
import { canRetry } from './verification.ts'

export const dashboardVerificationRetry: PageHandler<'dashboardVerificationRetry'> = async (
  ctx,
  { body },
) => {
  const { row, newest } = await readForDecision(ctx, body)
  if (!canRetry(row, newest.id)) {
    throw invalidField(
      '`identity_verification_id` must name the newest attempt of its user, and one that is finished',
    )
  }
  const attempt = startRetry(ctx, await requireTemplate(ctx, row.template_id), row)
  await insertAttempt(ctx, attempt)
  // The new attempt decides.
  await writeDecision(
    ctx,
    row,
    { ...row, review_closed: 1 },
    { action: 'retry', reason: body.reason, details: { retry: attempt.id } },
  )
  return { identity_verification_id: attempt.id }
}
