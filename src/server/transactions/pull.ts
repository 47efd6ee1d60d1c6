import { listAllAccounts } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { noteUpdate, showTransactions } from './pull-store.ts'
import { selectSupported } from './supported-accounts.ts'

/** The days that the first pull fetches. */
export const initialDays = 30

/** The first day of a period of that many days, which ends today. */
export const firstOf = (today: string, days: number): string => addDays(today, 1 - days)

type Pulling = Pick<
  ItemRow,
  'item_id' | 'institution_id' | 'transactions_status' | 'days_requested'
>

/**
 * Shows all of the institution's transactions that the Item's status allows. Returns how many were
 * new.
 */
export async function pullTransactions(ctx: Context, item: Pulling): Promise<number> {
  const { transactions_status: status, days_requested } = item
  if (status === null || status === 'NOT_READY') return 0
  await noteUpdate(ctx, item.item_id)
  const accounts = await selectSupported(ctx, item, await listAllAccounts(ctx, item.item_id))
  const days = days_requested ?? initialDays
  const isInitial = status === 'INITIAL_UPDATE_COMPLETE'
  const to = toDate(ctx.now)
  return showTransactions(ctx, item.item_id, {
    from: firstOf(to, isInitial ? Math.min(days, initialDays) : days),
    to,
    accountIds: accounts.map((account) => account.account_id),
    again: !isInitial,
  })
}
