import type { DashboardTransaction } from '../../../../generated/dashboard/closed.ts'
import { findItem } from '../../items/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { recordLook } from '../record-look.ts'
import { listTransactionPage, type ShownTransactionRow } from './transaction-store.ts'

export const dashboardItemTransactionList: PageHandler<'dashboardItemTransactionList'> = async (
  ctx,
  { body },
) => {
  const { item_id, account_id } = body
  if (!(await findItem(ctx, item_id))) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'item.view', item_id)
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listTransactionPage(ctx, item_id, account_id, beforeOf(cursor), limit),
    ({ insertion, date }) => toListCursor('transactions', Number(insertion), date),
  )
  return {
    transactions: rows.map((row) => toDashboardTransaction(row, ctx.seesPersonalData)),
    next_cursor,
  }
}
dashboardItemTransactionList.reads = true

function beforeOf(cursor: string | undefined): { date: string; insertion: number } {
  if (cursor === undefined) return { date: '9999-12-31', insertion: Number.MAX_SAFE_INTEGER }
  const { sequence, name } = readListPlace('transactions', cursor)
  return { date: name, insertion: sequence }
}

/** What of a stored transaction lists show. */
interface Document {
  name: string
  merchant_name: string | null
  amount: number
  iso_currency_code: string | null
  unofficial_currency_code: string | null
}

function toDashboardTransaction(
  row: ShownTransactionRow,
  seesPersonalData: boolean,
): DashboardTransaction {
  const document = JSON.parse(row.document) as Document
  return {
    transaction_id: row.transaction_id,
    account_id: row.account_id,
    date: row.date,
    name: seesPersonalData ? (document.merchant_name ?? document.name) : null,
    amount: seesPersonalData ? document.amount : null,
    currency: document.iso_currency_code ?? document.unofficial_currency_code,
    pending: row.pending === 1,
  }
}
