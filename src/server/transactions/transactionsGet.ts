import { selectAccounts } from '../items/account.ts'
import { listShownAccounts } from '../items/account-store.ts'
import { toItem } from '../items/item.ts'
import { requireItem } from '../items/store.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { defaultDays, initializeTransactions } from './initialize.ts'
import { countByDate, listByDate } from './list-store.ts'
import { checkTransactions, isReady } from './reading.ts'
import { selectSupported, toTransactionsAccount } from './supported-accounts.ts'
import { isStoredForm, toForm, toTransactions } from './transaction.ts'

const leastDays = 30
const firstPage = { count: 100, offset: 0 }

export const transactionsGet: HandlerOf<'transactionsGet'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  checkTransactions(item, 'transactionsGet')
  const { account_ids: asked = [], count, offset, days_requested } = body.options ?? {}
  const accounts = selectAccounts(await listShownAccounts(ctx, item.item_id), asked)
  if (item.transactions_status === null) {
    await initializeTransactions(ctx, item, Math.max(days_requested ?? defaultDays, leastDays))
    // Committed, since the pull must continue although this request fails.
    throw new ApiError('ITEM_ERROR.PRODUCT_NOT_READY', { commit: true })
  }
  if (!isReady(item.transactions_status)) throw new ApiError('ITEM_ERROR.PRODUCT_NOT_READY')

  const range = {
    from: body.start_date,
    to: body.end_date,
    // The history of closed accounts stays readable.
    accountIds: asked.length === 0 ? null : accounts.map((account) => account.account_id),
  }
  const form = toForm(ctx.publicUrl, body.options)
  const page = { count: count ?? firstPage.count, offset: offset ?? firstPage.offset }
  const wanted = { ...page, isStoredForm: isStoredForm(form) }
  const rows = await listByDate(ctx, item.item_id, range, wanted)
  return {
    accounts: (await selectSupported(ctx, item, accounts)).map(toTransactionsAccount),
    transactions: toTransactions(rows, form),
    total_transactions: endOf(page, rows) ?? (await countByDate(ctx, item.item_id, range)),
    item: toItem(item),
  }
}
transactionsGet.reads = true

/** The total number, if the page implies it: a page that is neither full nor past the end. */
function endOf({ count, offset }: typeof firstPage, { length }: readonly unknown[]) {
  const isLast = length < count && (length > 0 || offset === 0)
  return isLast ? offset + length : undefined
}
