import { changeHealth, healthOf } from '../../items/change-health.ts'
import { findItem, lockItem } from '../../items/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardItemHealthSet: PageHandler<'dashboardItemHealthSet'> = async (
  ctx,
  { body },
) => {
  const { item_id, error_code } = body
  const isSandbox = ctx.settings.environment === 'sandbox'
  const found = isSandbox ? await findItem(ctx, item_id) : undefined
  if (!found || found.removed_at !== null) throw new ApiError('OBJECT_NOT_FOUND')
  const item = await lockItem(ctx, item_id)
  await changeHealth(ctx, item, healthOf(error_code))
  await auditPage(ctx, 'item.health', item_id, { before: item.health_error, after: error_code })
  return {}
}
