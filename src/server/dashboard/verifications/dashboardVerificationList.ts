import type { DashboardVerificationSelection } from '../../../../generated/dashboard/closed.ts'
import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { filterBy } from '../filter.ts'
import type { LookHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { inQueue, type ListedAttempt, listVerificationPage } from './store.ts'
import { toDashboardVerification } from './verification.ts'

export const dashboardVerificationList: LookHandler<'dashboardVerificationList'> = async (
  ctx,
  { body },
) => {
  const { show = 'to_review' } = body
  const { sql, values } = filterBy(5, [
    ['status = $', statusOf(show)],
    ['client_user_id = $', body.client_user_id],
  ])
  const filter = { sql: sql + (show === 'to_review' ? inQueue : ''), values }
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listVerificationPage(ctx, beforeOf(cursor), limit, filter),
    toCursor,
  )
  return { verifications: rows.map(toDashboardVerification), next_cursor }
}
dashboardVerificationList.reads = true

const statusOf = (show: DashboardVerificationSelection): string | undefined =>
  show === 'to_review' || show === 'all' ? undefined : show

const toCursor = ({ created_at, id }: ListedAttempt): string =>
  toListCursor('verifications', Date.parse(created_at), id)

function beforeOf(cursor: string | undefined): Pick<ListedAttempt, 'created_at' | 'id'> {
  if (cursor === undefined) return { created_at: '9999', id: '' }
  const { sequence, name } = readListPlace('verifications', cursor)
  return { created_at: toTimestamp(sequence), id: name }
}
