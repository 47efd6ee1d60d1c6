import { lockItemOf } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { changeHealth } from './change-health.ts'

export const sandboxItemSetHealth: HandlerOf<'sandboxItemSetHealth'> = async (ctx, { body }) => {
  const item = await lockItemOf(ctx, body.access_token)
  const { error_code, error_code_reason = null, products = null } = body
  const error = error_code === null ? null : { error_code, error_code_reason, products }
  await changeHealth(ctx, item, error)
  return {}
}
