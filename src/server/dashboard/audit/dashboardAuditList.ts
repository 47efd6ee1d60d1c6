import { filterBy, momentOf } from '../filter.ts'
import { readTimeCursor, toTimeCursor } from '../newest-first.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listAuditPage } from './store.ts'

export const dashboardAuditList: PageHandler<'dashboardAuditList'> = async (ctx, { body }) => {
  const filter = filterBy(5, [
    ['action = $', body.action],
    ['subject = $', body.subject],
    ['actor = $', body.actor],
    ['at >= $', momentOf(body.from)],
  ])
  // A cursor was made by a page before, so it lies before the end of the time that is asked for.
  const end = momentOf(body.to)
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => {
      const isFirst = cursor === undefined && end !== undefined
      const before = isFirst ? { at: end, id: '' } : readTimeCursor('audit', cursor)
      return listAuditPage(ctx, before, limit, filter)
    },
    ({ at, audit_id }) => toTimeCursor('audit', { at, id: audit_id }),
  )
  const entries = rows.map(({ audit_id, at, actor, action, subject, details }) => {
    return { audit_id, at, actor, action, subject, details }
  })
  return { entries, next_cursor }
}
dashboardAuditList.reads = true
