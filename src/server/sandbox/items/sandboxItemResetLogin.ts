import { findInstitution } from '../../institutions/store.ts'
import { type ItemRow, lockItemOf } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { changeHealth } from './change-health.ts'

export const sandboxItemResetLogin: HandlerOf<'sandboxItemResetLogin'> = async (ctx, { body }) => {
  const item = await lockItemOf(ctx, body.access_token)
  const error_code_reason = (await usesOAuth(ctx, item)) ? 'OAUTH_INVALID_TOKEN' : null
  await changeHealth(ctx, item, { error_code: 'ITEM_LOGIN_REQUIRED', error_code_reason })
  return { reset_login: true }
}

async function usesOAuth(ctx: Context, { institution_id }: ItemRow): Promise<boolean> {
  if (institution_id === null) return false
  return (await findInstitution(ctx, institution_id))?.oauth === 1
}
