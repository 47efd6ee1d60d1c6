import type { TransactionsUpdateStatus } from '#contract/closed.ts'
import { insertInBatches } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Stream } from './cursor.ts'

/** A transaction of an Item. The migration documents its states. */
export interface TransactionRow {
  transaction_id: string
  account_id: string
  date: string
  pending: number
  insertion: number
  document: string
  original_description: string | null
  category_v1: string
  first_sequence: number | null
  added_sequence: number | null
  last_sequence: number | null
  earlier: string | null
  removed: number
}

export const columns = `transaction_id, account_id, date, pending, insertion, document,
  original_description, category_v1, first_sequence, added_sequence, last_sequence, earlier,
  removed`

const ofPages = ['transaction_id', 'account_id', 'document', 'earlier', 'removed'] as const
const positions = ['added_sequence', 'last_sequence'] as const
const ofSomeForms = ['original_description', 'category_v1'] as const

/** The columns that every page needs, and those that only some forms need. */
export type PageRow = Pick<TransactionRow, (typeof ofPages | typeof positions)[number]> &
  Partial<Pick<TransactionRow, (typeof ofSomeForms)[number]>>

/** Reading a column costs as much as finding a row, and a page has a hundred rows. */
export const pageColumns = (isStoredForm: boolean): string =>
  [...ofPages, ...positions, ...(isStoredForm ? [] : ofSomeForms)].join(', ')

/** The condition for shown transactions, written as in the partial indexes. */
export const shown = 'removed = 0 and added_sequence is not null'

/**
 * Joins a list of an Item's transactions to their rows. It compares each column: otherwise a
 * planner that expects few rows would scan the list for every row.
 */
export const isRowOf = (list: string): string =>
  `transactions.client_id = ${list}.client_id and transactions.item_id = ${list}.item_id
    and transactions.transaction_id = ${list}.transaction_id`

/**
 * Reserves change numbers for an Item, and locks the Item. Returns the number before the first one.
 */
export async function claimNumbers(ctx: Context, itemId: string, count: number): Promise<number> {
  const values = [ctx.client.client_id, itemId]
  await ctx.db.run(
    `update items set transactions_sequence = transactions_sequence + $3
      where client_id = $1 and item_id = $2`,
    [...values, count],
  )
  const row = await ctx.db.first<{ last: number }>(
    'select transactions_sequence as last from items where client_id = $1 and item_id = $2',
    values,
  )
  if (!row) throw new Error('transactions belong to an Item')
  return row.last - count
}

/** Initializes an Item's transactions. Returns false if another request was first. */
export const startStatus = async (ctx: Context, itemId: string, days: number): Promise<boolean> =>
  (await ctx.own.run(
    `update items set transactions_status = 'NOT_READY', days_requested = $3
      where client_id = $1 and item_id = $2 and transactions_status is null`,
    [itemId, days],
  )) > 0

export async function updateStatus(
  ctx: Context,
  itemId: string,
  status: TransactionsUpdateStatus,
): Promise<void> {
  await ctx.own.run(
    'update items set transactions_status = $3 where client_id = $1 and item_id = $2',
    [itemId, status],
  )
}

/** Records that the client uses sync for the Item, so its webhooks are sent from now on. */
export async function markSyncUsed(ctx: Context, itemId: string): Promise<void> {
  await ctx.own.run('update items set uses_sync = 1 where client_id = $1 and item_id = $2', [
    itemId,
  ])
}

/** The number of a stream's latest change; 0 before the first. */
export async function findHead(ctx: Context, { item_id, account_id }: Stream): Promise<number> {
  const row = await ctx.own.first<{ head: number }>(
    `select last_sequence as head from transactions
      where client_id = $1 and item_id = $2 ${account_id === null ? '' : 'and account_id = $3'}
        and last_sequence is not null
      order by last_sequence desc limit 1`,
    [item_id, ...(account_id === null ? [] : [account_id])],
  )
  return row?.head ?? 0
}

interface ChangesPage {
  base: number
  after: number
  limit: number
  isStoredForm: boolean
}

/**
 * The changes in a stream after a number, earliest first. Leaves out a transaction that was added
 * after `base` and removed again, unless it existed earlier.
 */
export const listChanges = (
  ctx: Context,
  { item_id, account_id }: Stream,
  { base, after, limit, isStoredForm }: ChangesPage,
) =>
  ctx.own.all<PageRow>(
    `select ${pageColumns(isStoredForm)} from transactions
      where client_id = $1 and item_id = $2 ${account_id === null ? '' : 'and account_id = $6'}
        and last_sequence > $3 and ((${shown}) or first_sequence <= $4)
      order by last_sequence limit $5`,
    [item_id, after, base, limit, ...(account_id === null ? [] : [account_id])],
  )

/** The accounts that have transactions. */
export const listActiveAccountIds = async (ctx: Context, itemId: string): Promise<Set<string>> => {
  const rows = await ctx.own.all<{ account_id: string }>(
    `select account_id from accounts
      where client_id = $1 and item_id = $2 and exists (
        select 1 from transactions
          where transactions.client_id = accounts.client_id
            and transactions.item_id = accounts.item_id
            and transactions.account_id = accounts.account_id
            and last_sequence is not null and ${shown})`,
    [itemId],
  )
  return new Set(rows.map((row) => row.account_id))
}

/** A transaction that still exists. */
export const findTransaction = (ctx: Context, itemId: string, transactionId: string) =>
  ctx.own.first<TransactionRow>(
    `select ${columns} from transactions
      where client_id = $1 and item_id = $2 and transaction_id = $3 and removed = 0`,
    [itemId, transactionId],
  )

/** A transaction, even if it is removed. */
export const findEver = (ctx: Context, itemId: string, transactionId: string) =>
  ctx.own.first<TransactionRow>(
    `select ${columns} from transactions
      where client_id = $1 and item_id = $2 and transaction_id = $3`,
    [itemId, transactionId],
  )

const batches = [64, 8, 1]

export const insertTransactionRows = (
  ctx: Context,
  itemId: string,
  rows: readonly TransactionRow[],
): Promise<void> =>
  insertInBatches(
    ctx.db,
    'transactions',
    rows.map((row) => ({ client_id: ctx.client.client_id, item_id: itemId, ...row })),
    batches,
  )

export const insertTransaction = (ctx: Context, itemId: string, row: TransactionRow) =>
  insertTransactionRows(ctx, itemId, [row])

/** Writes all mutable columns of a transaction. */
export async function updateTransaction(
  ctx: Context,
  itemId: string,
  row: TransactionRow,
): Promise<void> {
  await ctx.own.run(
    `update transactions set date = $4, pending = $5, document = $6, original_description = $7,
        added_sequence = $8, last_sequence = $9, earlier = $10, removed = $11
      where client_id = $1 and item_id = $2 and transaction_id = $3`,
    [
      itemId,
      row.transaction_id,
      row.date,
      row.pending,
      row.document,
      row.original_description,
      row.added_sequence,
      row.last_sequence,
      row.earlier,
      row.removed,
    ],
  )
}

/**
 * Moves transactions to the new id of their account. Shown ones count as modified. Returns their
 * number.
 */
export async function renameTransactionsAccount(
  ctx: Context,
  itemId: string,
  from: string,
  to: string,
): Promise<number> {
  const last = await claimNumbers(ctx, itemId, 0)
  const count = await ctx.own.run(
    `update transactions set account_id = $4, last_sequence = $5 + shown.place
      from (
        select client_id, item_id, transaction_id,
            row_number() over (order by last_sequence) as place
          from transactions
          where client_id = $1 and item_id = $2 and account_id = $3
            and removed = 0 and added_sequence is not null
      ) as shown
      where ${isRowOf('shown')}`,
    [itemId, from, to, last],
  )
  if (count > 0) await claimNumbers(ctx, itemId, count)
  await ctx.own.run(
    `update transactions set account_id = $4
      where client_id = $1 and item_id = $2 and account_id = $3 and removed = 0`,
    [itemId, from, to],
  )
  return count
}
