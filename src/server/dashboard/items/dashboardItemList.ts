import type { DashboardItemHealth } from '../../../../generated/dashboard/closed.ts'
import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { filterBy } from '../filter.ts'
import type { LookHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { toDashboardItem } from './item.ts'
import { type ItemListRow, listItemPage } from './store.ts'

export const dashboardItemList: LookHandler<'dashboardItemList'> = async (ctx, { body }) => {
  const { sql, values } = filterBy(5, [[ofInstitution, body.institution?.toLowerCase()]])
  const filter = { sql: sql + (body.health === undefined ? '' : ofHealth[body.health]), values }
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listItemPage(ctx, beforeOf(cursor), limit, filter),
    toCursor,
  )
  return { items: rows.map(toDashboardItem), next_cursor }
}
dashboardItemList.reads = true

/** Its id, or a name that has the text in it: without the text it would be another one. */
const ofInstitution = `(lower(items.institution_id) = $
  or replace(lower(institution_name), $, '') <> lower(institution_name))`

const ofHealth: Readonly<Record<DashboardItemHealth, string>> = {
  healthy: ' and health_error is null and removed_at is null',
  unhealthy: ' and health_error is not null and removed_at is null',
  removed: ' and removed_at is not null',
}

const toCursor = ({ created_at, item_id }: ItemListRow): string =>
  toListCursor('items', Date.parse(created_at), item_id)

function beforeOf(cursor: string | undefined): { created_at: string; item_id: string } {
  if (cursor === undefined) return { created_at: '9999', item_id: '' }
  const { sequence, name } = readListPlace('items', cursor)
  return { created_at: toTimestamp(sequence), item_id: name }
}
