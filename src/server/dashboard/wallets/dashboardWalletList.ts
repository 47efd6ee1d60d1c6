import { readListCursor, toListCursor } from '../../kernel/list-cursor.ts'
import { filterBy } from '../filter.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listWalletPage } from './store.ts'
import { toDashboardWallet } from './wallet.ts'

export const dashboardWalletList: PageHandler<'dashboardWalletList'> = async (ctx, { body }) => {
  const filter = filterBy(4, [
    ['iso_currency_code = $', body.currency],
    ['status = $', body.status],
  ])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listWalletPage(ctx, beforeOf(cursor), limit, filter),
    ({ sequence }) => toListCursor('wallets', sequence),
  )
  return { wallets: rows.map(toDashboardWallet), next_cursor }
}
dashboardWalletList.reads = true

const beforeOf = (cursor: string | undefined): number =>
  cursor === undefined ? Number.MAX_SAFE_INTEGER : readListCursor('wallets', cursor)
