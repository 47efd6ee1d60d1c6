import type { Context } from '../kernel/context.ts'
import { claimNumbers, columns, isRowOf, shown, type TransactionRow } from './store.ts'

/** What an Item takes over from its institution. */
export interface Pull {
  from: string
  to: string
  /** The accounts that can have transactions. */
  accountIds: readonly string[]
  /** Also what was shown before and hidden since, however old it is. */
  again: boolean
}

/**
 * Shows what the institution knows of those days and the Item does not show yet, each as a change
 * with a number of its own; returns how many there were.
 */
export async function showTransactions(ctx: Context, itemId: string, pull: Pull): Promise<number> {
  if (pull.accountIds.length === 0) return 0
  const places = pull.accountIds.map((_, index) => `$${6 + index}`).join(', ')
  const last = await claimNumbers(ctx, itemId, 0)
  const count = await ctx.db.run(
    `update transactions set
        first_sequence = coalesce(first_sequence, $3 + unseen.place),
        added_sequence = $3 + unseen.place,
        last_sequence = $3 + unseen.place
      from (
        select client_id, item_id, transaction_id,
            row_number() over (order by date, insertion) as place
          from transactions
          where client_id = $1 and item_id = $2 and removed = 0 and added_sequence is null
            and (date >= $4 ${pull.again ? 'or earlier is not null' : ''}) and date <= $5
            and account_id in (${places})
      ) as unseen
      where ${isRowOf('unseen')}`,
    [ctx.client.client_id, itemId, last, pull.from, pull.to, ...pull.accountIds],
  )
  if (count > 0) await claimNumbers(ctx, itemId, count)
  return count
}

/** The next day on which the institution has something that is dated ahead. */
export async function findNextDate(
  ctx: Context,
  itemId: string,
  today: string,
): Promise<string | null> {
  const row = await ctx.db.first<{ next: string | null }>(
    `select min(date) as next from transactions
      where client_id = $1 and item_id = $2 and removed = 0 and added_sequence is null
        and date > $3`,
    [ctx.client.client_id, itemId, today],
  )
  return row?.next ?? null
}

/** The transactions that are shown and dated before a day, the one changed longest ago first; null: all. */
export const listShown = (
  ctx: Context,
  itemId: string,
  before: string | null,
): Promise<TransactionRow[]> =>
  ctx.db.all<TransactionRow>(
    `select ${columns} from transactions
      where client_id = $1 and item_id = $2 and ${shown}
        ${before === null ? '' : 'and date < $3'}
      order by last_sequence`,
    [ctx.client.client_id, itemId, ...(before === null ? [] : [before])],
  )
