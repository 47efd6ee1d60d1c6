import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { removeItem } from './remove-item.ts'
import { requireItem } from './store.ts'

export const itemRemove: HandlerOf<'itemRemove'> = async (ctx, { body }) => {
  const { item_id } = await requireItem(ctx, body.access_token)
  const reason = { code: body.reason_code ?? null, note: body.reason_note ?? null }
  if (!(await removeItem(ctx, item_id, reason))) throw new ApiError('ITEM_CONCURRENTLY_DELETED')
  return {}
}
