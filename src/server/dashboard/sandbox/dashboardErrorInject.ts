import { ApiError } from '../../kernel/errors.ts'
import { injectError } from '../../sandbox/world/inject-error.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { findTokenHash } from './error-store.ts'

export const dashboardErrorInject: PageHandler<'dashboardErrorInject'> = async (ctx, { body }) => {
  const { item_id, ...injection } = body
  const hash = item_id === undefined ? null : await findTokenHash(ctx, item_id)
  if (hash === undefined) throw new ApiError('OBJECT_NOT_FOUND')
  const id = await injectError(ctx, injection, hash)
  await auditPage(ctx, 'error.inject', id, body)
  return { id }
}
