import type { Context } from '../kernel/context.ts'
import { toDate } from '../kernel/time.ts'
import { shown } from '../transactions/store.ts'

/**
 * The day of the balance that each account of an Item shows, by its id. That is the day for which the
 * source told it, or the day of a later posted transaction, which the balance counts. It is today at
 * the latest. Accounts without a source have none.
 */
export async function findBalanceDays(ctx: Context, itemId: string): Promise<Map<string, string>> {
  const today = toDate(ctx.now)
  const rows = await ctx.own.all<{ account_id: string; told: string; booked: string | null }>(
    `select account_id, balance_on as told,
        (select date from transactions
          where transactions.client_id = $1 and transactions.item_id = $2
            and transactions.account_id = accounts.account_id
            and pending = 0 and date <= $3 and ${shown}
          order by date desc, insertion desc limit 1) as booked
      from source_accounts join accounts on accounts.client_id = $1 and accounts.item_id = $2
        and accounts.account_key = source_accounts.account_key
      where source_accounts.client_id = $1 and source_accounts.item_id = $2
        and balance_on is not null`,
    [itemId, today],
  )
  return new Map(
    rows.map(({ account_id, told, booked }) => {
      const last = booked !== null && booked > told ? booked : told
      return [account_id, last < today ? last : today]
    }),
  )
}
