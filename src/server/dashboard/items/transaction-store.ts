import type { Context } from '../../kernel/context.ts'

export interface ShownTransactionRow {
  transaction_id: string
  account_id: string
  date: string
  pending: number
  insertion: number
  document: string
}

/** Written as in the partial index. */
const shown = 'removed = 0 and added_sequence is not null'

/** The shown transactions of an Item before one of them, the newest first. */
export const listTransactionPage = (
  ctx: Context,
  itemId: string,
  accountId: string | undefined,
  before: { date: string; insertion: number },
  limit: number,
) =>
  ctx.own.all<ShownTransactionRow>(
    `select transaction_id, account_id, date, pending, insertion, document from transactions
      where client_id = $1 and item_id = $2 and (date, insertion) < ($3, $4) and ${shown}
        ${accountId === undefined ? '' : 'and account_id = $6'}
      order by date desc, insertion desc limit $5`,
    [itemId, before.date, before.insertion, limit, ...(accountId === undefined ? [] : [accountId])],
  )

/** The latest posted transactions of an account since a day: of very many, the earlier ones are left out. */
export const listMovements = (
  ctx: Context,
  itemId: string,
  accountId: string,
  from: string,
  limit: number,
) =>
  ctx.own.all<{ date: string; document: string }>(
    `select date, document from transactions
      where client_id = $1 and item_id = $2 and date >= $3 and ${shown} and account_id = $4
        and pending = 0
      order by date desc, insertion desc limit $5`,
    [itemId, from, accountId, limit],
  )

/** The first day of an Item's shown transactions. */
export const findFirstDay = (ctx: Context, itemId: string) =>
  ctx.own.first<{ date: string }>(
    `select date from transactions where client_id = $1 and item_id = $2 and ${shown}
      order by date, insertion limit 1`,
    [itemId],
  )
