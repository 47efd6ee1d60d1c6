import { filterBy } from '../filter.ts'
import { readTimeCursor, toTimeCursor } from '../newest-first.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listTransferPage } from './store.ts'
import { toDashboardTransfer } from './transfer.ts'

export const dashboardTransferList: PageHandler<'dashboardTransferList'> = async (
  ctx,
  { body },
) => {
  const filter = filterBy(5, [
    ['status = $', body.status],
    ['type = $', body.type],
    ['network = $', body.network],
    ['account_id = $', body.account_id],
  ])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listTransferPage(ctx, readTimeCursor('transfers', cursor), limit, filter),
    ({ created, transfer_id }) => toTimeCursor('transfers', { at: created, id: transfer_id }),
  )
  return { transfers: rows.map(toDashboardTransfer), next_cursor }
}
dashboardTransferList.reads = true
