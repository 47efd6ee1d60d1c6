import { isDebitable } from '../../items/account.ts'
import { lockAccountOf } from '../../items/account-store.ts'
import { changeVerification } from '../../items/change-verification.ts'
import { toInsights } from '../../items/verification.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxItemSetVerificationStatus: HandlerOf<
  'sandboxItemSetVerificationStatus'
> = async (ctx, { body }) => {
  const account = await lockAccountOf(ctx, body)
  if (!isDebitable(account)) {
    const message = '`account_id` must name a checking, savings or cash management account'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  const given = body.verification_insights ? toInsights(body.verification_insights) : null
  await changeVerification(ctx, account, body.verification_status, given)
  return {}
}
