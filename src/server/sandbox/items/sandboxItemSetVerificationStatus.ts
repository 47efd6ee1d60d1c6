import type { VerificationInsights } from '#contract/types.ts'
import type { SandboxVerificationInsightsInput } from '../../../../generated/sandbox/types.ts'
import { isDebitable } from '../../items/account.ts'
import { changeVerification } from '../../items/change-verification.ts'
import { lockItem, requireAccount, requireItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxItemSetVerificationStatus(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxItemSetVerificationStatus'>,
): Promise<SandboxResponseOf<'sandboxItemSetVerificationStatus'>> {
  const { item_id } = await requireItem(ctx, body.access_token)
  await lockItem(ctx, item_id)
  const account = await requireAccount(ctx, item_id, body.account_id)
  if (!isDebitable(account)) {
    const message = '`account_id` must name a checking, savings or cash management account'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  const given = body.verification_insights ? toInsights(body.verification_insights) : null
  await changeVerification(ctx, account, body.verification_status, given)
  return {}
}

/** Removes fields that are omitted or null, since both mean unknown. */
function toInsights(input: SandboxVerificationInsightsInput): VerificationInsights {
  const { name_match_score, network_status, previous_returns, account_number_format } = input
  const { has_numbers_match, is_numbers_match_verified } = network_status
  return {
    ...(typeof name_match_score === 'number' ? { name_match_score } : {}),
    network_status: { has_numbers_match, is_numbers_match_verified },
    ...(previous_returns
      ? {
          previous_returns: {
            has_previous_administrative_return: previous_returns.has_previous_administrative_return,
          },
        }
      : {}),
    account_number_format,
  }
}
