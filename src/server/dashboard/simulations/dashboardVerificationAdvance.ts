import { advance } from '../../identity-verification/attempt.ts'
import { emitChanges } from '../../identity-verification/emit-changes.ts'
import { updateAttempt } from '../../identity-verification/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { readForDecision } from '../verifications/decide.ts'

export const dashboardVerificationAdvance: PageHandler<'dashboardVerificationAdvance'> = async (
  ctx,
  { body },
) => {
  const { row } = await readForDecision(ctx, body)
  const after = advance(ctx, row, body.outcome, body.step)
  if (!(await updateAttempt(ctx, after))) throw new ApiError('VERIFICATION_CHANGED')
  await emitChanges(ctx, row, after)
  await auditPage(ctx, 'verification.advance', row.id, {
    step: body.step ?? null,
    outcome: body.outcome,
    before: row.status,
    after: after.status,
  })
  return { status: after.status, revision: row.revision + 1 }
}
