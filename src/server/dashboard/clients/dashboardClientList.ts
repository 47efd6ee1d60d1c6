import type { DashboardClient } from '../../../../generated/dashboard/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { filterBy } from '../filter.ts'
import type { VisitHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { type ListedClientRow, listClientsFrom } from './store.ts'

export const dashboardClientList: VisitHandler<'dashboardClientList'> = async (
  { service, session },
  { body },
) => {
  if (!session) throw new ApiError('SIGN_IN_REQUIRED')
  const own = filterBy(4, [['client_id = $', session.client_id || undefined]])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listClientsFrom(service.database.single, afterOf(cursor), limit, own),
    toCursor,
  )
  const now = service.clock()
  return { clients: rows.map((row) => toDashboardClient(row, now)), next_cursor }
}

const toDashboardClient = (row: ListedClientRow, now: number): DashboardClient => ({
  client_id: row.client_id,
  client_name: row.client_name,
  created_at: row.created_at,
  disabled_at: row.disabled_at,
  now: toTimestamp(now + row.clock_offset_ms),
  keeps_bodies_until:
    row.keeps_bodies_until === null ? null : toTimestamp(Number(row.keeps_bodies_until)),
})

const toCursor = ({ created_at, client_id }: ListedClientRow): string =>
  toListCursor('clients', Date.parse(created_at), client_id)

function afterOf(cursor: string | undefined): { created_at: string; client_id: string } {
  if (cursor === undefined) return { created_at: '', client_id: '' }
  const { sequence, name } = readListPlace('clients', cursor)
  return { created_at: toTimestamp(sequence), client_id: name }
}
