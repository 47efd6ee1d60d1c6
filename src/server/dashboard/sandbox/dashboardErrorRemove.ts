import { ApiError } from '../../kernel/errors.ts'
import { deleteInjectedError, deleteInjectedErrors } from '../../sandbox/world/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardErrorRemove: PageHandler<'dashboardErrorRemove'> = async (ctx, { body }) => {
  const { id } = body
  if (id === undefined) await deleteInjectedErrors(ctx)
  else if (!(await deleteInjectedError(ctx, id))) throw new ApiError('OBJECT_NOT_FOUND')
  await auditPage(ctx, 'error.remove', id ?? ctx.client.client_id)
  return {}
}
