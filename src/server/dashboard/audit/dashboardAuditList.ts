import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { filterBy } from '../filter.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listAuditPage } from './store.ts'

export const dashboardAuditList: PageHandler<'dashboardAuditList'> = async (ctx, { body }) => {
  const filter = filterBy(4, [
    ['action = $', body.action],
    ['subject = $', body.subject],
  ])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listAuditPage(ctx, beforeOf(cursor), limit, filter),
    ({ audit_id }) => toListCursor('audit', 0, audit_id),
  )
  const entries = rows.map(({ audit_id, at, actor, action, subject, details }) => {
    return { audit_id, at, actor, action, subject, details }
  })
  return { entries, next_cursor }
}
dashboardAuditList.reads = true

const beforeOf = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : readListPlace('audit', cursor).name
