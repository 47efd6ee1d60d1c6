import type { Context } from '../kernel/context.ts'
import { shown } from '../transactions/store.ts'

/** The first and the last day with transactions; null without any. */
interface Days {
  first: string | null
  last: string | null
}

/** The days that the Item's transactions are from. */
export async function findDays(ctx: Context, itemId: string): Promise<Days> {
  const day = (order: 'asc' | 'desc') =>
    `(select date from transactions where client_id = $1 and item_id = $2 and ${shown}
        order by date ${order}, insertion ${order} limit 1)`
  const days = await ctx.own.first<Days>(`select ${day('asc')} as first, ${day('desc')} as last`, [
    itemId,
  ])
  return days ?? { first: null, last: null }
}

/** A transaction as it is stored. */
export interface StoredTransaction {
  transaction_id: string
  date: string
  pending: number
  document: string
  original_description: string | null
  last_sequence: number
}

/** The shown transactions of an account after a change number, in the order of their changes. */
export const listAccountTransactions = (
  ctx: Context,
  {
    item,
    account_id,
    after,
    count,
  }: { item: string; account_id: string; after: number; count: number },
) =>
  ctx.own.all<StoredTransaction>(
    `select transaction_id, date, pending, document, original_description, last_sequence
      from transactions
      where client_id = $1 and item_id = $2 and account_id = $3 and last_sequence > $4
        and last_sequence is not null and ${shown}
      order by last_sequence limit $5`,
    [item, account_id, after, count],
  )
