import { toHistoricalBalances } from '../../asset-reports/historical-balances.ts'
import { findAccount } from '../../items/account-store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { addDays, countDays, toDate } from '../../kernel/time.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { findFirstDay, listMovements } from './transaction-store.ts'

const mostDays = 90
/** Reading more takes longer than a page may. Days that it does not reach are left out. */
const mostMovements = 1000

export const dashboardItemBalanceList: PageHandler<'dashboardItemBalanceList'> = async (
  ctx,
  { body },
) => {
  const { item_id, account_id } = body
  const account = await findAccount(ctx, account_id)
  if (account?.item_id !== item_id) throw new ApiError('OBJECT_NOT_FOUND')
  if (!ctx.seesPersonalData) return { days: [] }
  await recordLook(ctx, 'item.view', item_id)
  const last = toDate(ctx.now)
  const from = addDays(last, 1 - mostDays)
  const rows = await listMovements(ctx, item_id, account_id, from, mostMovements)
  const movements = rows.map(({ date, document }) => {
    const { amount } = JSON.parse(document) as { amount: number }
    return { date, amount }
  })
  // Of days before its first transaction nothing is known.
  const first = (await findFirstDay(ctx, item_id))?.date ?? last
  const known = countDays(first, last) + 1
  const read = rows.length < mostMovements ? mostDays : countDays(rows.at(-1)?.date ?? last, last)
  const count = Math.max(1, Math.min(known, read, mostDays))
  const balances = toHistoricalBalances(account, movements, { last, count })
  return { days: balances.map(({ date, current }) => ({ date, balance: current ?? 0 })) }
}
dashboardItemBalanceList.reads = true
