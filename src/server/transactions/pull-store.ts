import type { Context } from '../kernel/context.ts'
import { claimNumbers, columns, isRowOf, shown, type TransactionRow } from './store.ts'

/** The transactions that a pull copies from the institution. */
interface Pull {
  from: string
  to: string
  /** The accounts that can have transactions. */
  accountIds: readonly string[]
  /** Includes transactions that were shown before and hidden since, whatever their date is. */
  again: boolean
}

/**
 * Shows the institution's transactions of those days that are still hidden. Each gets its own
 * change number. Returns how many there were.
 */
export async function showTransactions(ctx: Context, itemId: string, pull: Pull): Promise<number> {
  if (pull.accountIds.length === 0) return 0
  const places = pull.accountIds.map((_, index) => `$${6 + index}`).join(', ')
  const last = await claimNumbers(ctx, itemId, 0)
  const count = await ctx.own.run(
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
    [itemId, last, pull.from, pull.to, ...pull.accountIds],
  )
  if (count > 0) await claimNumbers(ctx, itemId, count)
  return count
}

/** The next day for which the institution has a transaction with a future date. */
export async function findNextDate(
  ctx: Context,
  itemId: string,
  today: string,
): Promise<string | null> {
  const row = await ctx.own.first<{ next: string | null }>(
    `select min(date) as next from transactions
      where client_id = $1 and item_id = $2 and removed = 0 and added_sequence is null
        and date > $3`,
    [itemId, today],
  )
  return row?.next ?? null
}

/**
 * The shown transactions that are dated before a day, least recently changed first. Null means all.
 */
export const listShown = (
  ctx: Context,
  itemId: string,
  before: string | null,
): Promise<TransactionRow[]> =>
  ctx.own.all<TransactionRow>(
    `select ${columns} from transactions
      where client_id = $1 and item_id = $2 and ${shown}
        ${before === null ? '' : 'and date < $3'}
      order by last_sequence`,
    [itemId, ...(before === null ? [] : [before])],
  )

/** Notes that an Item was read now. What comes from a source is read when it is imported, not here. */
export async function noteUpdate(ctx: Context, itemId: string): Promise<void> {
  await ctx.own.run(
    `update items set transactions_updated_at = $3
      where client_id = $1 and item_id = $2 and removed_at is null
        and not exists (select 1 from item_sources
          where item_sources.client_id = $1 and item_sources.item_id = $2)`,
    [itemId, ctx.now],
  )
}
