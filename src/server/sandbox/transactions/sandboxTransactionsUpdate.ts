import { lockItemOf } from '../../items/store.ts'
import { toAmount, toMinor } from '../../kernel/money.ts'
import type { BodyOf, HandlerOf } from '../../kernel/operation.ts'
import {
  isChange,
  modifyTransaction,
  postTransaction,
  type TransactionChange,
} from '../../transactions/change-transactions.ts'
import { announceChanges, noChanges } from '../../transactions/emit-updates.ts'
import { isShown } from '../../transactions/transaction.ts'
import { requireTransaction } from './require-transaction.ts'

export const sandboxTransactionsUpdate: HandlerOf<'sandboxTransactionsUpdate'> = async (
  ctx,
  { body },
) => {
  const item = await lockItemOf(ctx, body.access_token)
  const { item_id } = item
  const row = await requireTransaction(ctx, item_id, body.transaction_id, 'transaction_id')
  const change = toChange(body)
  const visible = isShown(row)
  if (row.pending === 1 && change.pending === false) {
    const transaction_id = await postTransaction(ctx, item_id, row, change)
    const posted = { added: 1, modified: false, removed: [row.transaction_id] }
    await announceChanges(ctx, item, visible ? posted : noChanges())
    return { transaction_id }
  }
  if (isChange(row, change)) {
    await modifyTransaction(ctx, item_id, row, change)
    await announceChanges(ctx, item, { ...noChanges(), modified: visible })
  }
  return { transaction_id: row.transaction_id }
}

const toChange = ({
  amount,
  description,
  date_posted: date,
  pending,
}: BodyOf<'sandboxTransactionsUpdate'>): TransactionChange => ({
  amount: amount === undefined ? undefined : toAmount(toMinor(amount)),
  description,
  date,
  pending,
})
