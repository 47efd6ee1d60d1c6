import { findItem, lockItem } from '../../items/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { toDate } from '../../kernel/time.ts'
import { createTransactions } from '../../sandbox/transactions/create-transactions.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardTransactionCreate: PageHandler<'dashboardTransactionCreate'> = async (
  ctx,
  { body },
) => {
  const { item_id, ...input } = body
  const found = await findItem(ctx, item_id)
  if (!found || found.removed_at !== null) throw new ApiError('OBJECT_NOT_FOUND')
  const item = await lockItem(ctx, item_id)
  const today = toDate(ctx.now)
  const transaction = { ...input, date_posted: today, date_transacted: today }
  const [transaction_id = ''] = await createTransactions(ctx, item, [transaction])
  await auditPage(ctx, 'transaction.create', transaction_id, { item_id, amount: body.amount })
  return { transaction_id }
}
