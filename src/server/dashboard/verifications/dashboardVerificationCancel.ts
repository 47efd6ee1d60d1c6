import { advance } from '../../identity-verification/attempt.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { readForDecision, writeDecision } from './decide.ts'
import { canCancel } from './verification.ts'

export const dashboardVerificationCancel: PageHandler<'dashboardVerificationCancel'> = async (
  ctx,
  { body },
) => {
  const { row } = await readForDecision(ctx, body)
  if (!canCancel(row)) {
    throw invalidField('`identity_verification_id` must name an attempt that is not finished')
  }
  const decided = { action: 'cancel', reason: body.reason } as const
  const { status, revision } = await writeDecision(ctx, row, advance(ctx, row, 'canceled'), decided)
  return { status, revision }
}
