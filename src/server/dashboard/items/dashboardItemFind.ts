import { ApiError } from '../../kernel/errors.ts'
import type { LookHandler } from '../page-handler.ts'
import { findItemOf } from './store.ts'

export const dashboardItemFind: LookHandler<'dashboardItemFind'> = async (ctx, { body }) => {
  const text = body.text.trim()
  const found = await findItemOf(ctx, text, ctx.keys.hash(text))
  if (!found) throw new ApiError('OBJECT_NOT_FOUND')
  return { item_id: found.item_id }
}
dashboardItemFind.reads = true
