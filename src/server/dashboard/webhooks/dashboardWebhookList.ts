import { readListCursor, toListCursor } from '../../kernel/list-cursor.ts'
import { filterBy } from '../filter.ts'
import type { LookHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { fateConditions, listWebhookPage } from './store.ts'
import { toDashboardWebhook } from './webhook.ts'

export const dashboardWebhookList: LookHandler<'dashboardWebhookList'> = async (ctx, { body }) => {
  const { sql, values } = filterBy(4, [
    ['webhook_code = $', body.webhook_code],
    ['item_id = $', body.item_id],
  ])
  const { status } = body
  const filter = { sql: sql + (status === undefined ? '' : fateConditions[status]), values }
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listWebhookPage(ctx, beforeOf(cursor), limit, filter),
    ({ sequence }) => toListCursor('webhooks', sequence),
  )
  return { webhooks: rows.map(toDashboardWebhook), next_cursor }
}
dashboardWebhookList.reads = true

const beforeOf = (cursor: string | undefined): number =>
  cursor === undefined ? Number.MAX_SAFE_INTEGER : readListCursor('webhooks', cursor)
