import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { selectAccounts } from '../items/account.ts'
import { type ItemRow, listAccounts, requireItem } from '../items/store.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { foreignCursor, type Position, readCursor, type Stream, toCursor } from './cursor.ts'
import { defaultDays, initializeTransactions } from './initialize.ts'
import { checkReading } from './reading.ts'
import { findHead, listActiveAccountIds, listChanges, markSyncUsed } from './store.ts'
import { selectSupported, toTransactionsAccount } from './supported-accounts.ts'
import { netEffect, toForm, toRemovedTransaction, toTransaction } from './transaction.ts'

const defaultCount = 100

export async function transactionsSync(
  ctx: Context,
  { body }: RequestOf<'transactionsSync'>,
): Promise<ResponseOf<'transactionsSync'>> {
  const item = await requireItem(ctx, body.access_token)
  checkReading(item)
  const accountId = body.account_id ?? body.options?.account_id
  const accounts = selectAccounts(
    await listAccounts(ctx, item.item_id),
    accountId === undefined ? undefined : [accountId],
  )
  const stream = { item_id: item.item_id, account_id: accountId ?? null }
  const position = await findPosition(ctx, stream, body.cursor ?? '')
  if (item.uses_sync === 0) await markSyncUsed(ctx, item.item_id)
  if (item.transactions_status === null) {
    await initializeTransactions(ctx, item, body.options?.days_requested ?? defaultDays)
  }
  if (!isReady(item.transactions_status)) return notReady()

  const active = await listActiveAccountIds(ctx, item.item_id)
  const supported = await selectSupported(ctx, item, accounts)
  return {
    transactions_update_status: item.transactions_status,
    accounts: supported.filter((row) => active.has(row.account_id)).map(toTransactionsAccount),
    ...(await readPage(ctx, stream, position, body)),
  }
}
