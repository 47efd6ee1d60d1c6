import { isDebitable } from '../../items/account.ts'
import { requireAccount } from '../../items/account-store.ts'
import { changeVerification } from '../../items/change-verification.ts'
import { lockItemOf } from '../../items/store.ts'
import { toInsights } from '../../items/verification.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxItemSetVerificationStatus: HandlerOf<
  'sandboxItemSetVerificationStatus'
> = async (ctx, { body }) => {
  const { item_id } = await lockItemOf(ctx, body.access_token)
  const account = await requireAccount(ctx, item_id, body.account_id)
  if (!isDebitable(account)) {
    const message = '`account_id` must name a checking, savings or cash management account'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  const given = body.verification_insights ? toInsights(body.verification_insights) : null
  await changeVerification(ctx, account, body.verification_status, given)
  return {}
}
