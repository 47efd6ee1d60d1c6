import { requireItem } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { injectError } from './inject-error.ts'

export const sandboxErrorInject: HandlerOf<'sandboxErrorInject'> = async (ctx, { body }) => {
  const { access_token, ...injection } = body
  if (access_token !== undefined) await requireItem(ctx, access_token)
  await injectError(ctx, injection, access_token === undefined ? null : ctx.keys.hash(access_token))
  return {}
}
