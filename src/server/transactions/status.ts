import type { TransactionsUpdateStatus } from '#contract/closed.ts'
import { addProduct } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { toDate } from '../kernel/time.ts'
import { deleteJobs } from '../queue/job-store.ts'
import { hideTransactions } from './change-transactions.ts'
import { planCheck } from './check-institution.ts'
import { defaultDays, stepTo } from './initialize.ts'
import { firstOf, initialDays, pullTransactions } from './pull.ts'
import { startStatus, updateStatus } from './store.ts'

const steps = ['INITIAL_UPDATE_COMPLETE', 'HISTORICAL_UPDATE_COMPLETE'] as const
const order: readonly (string | null)[] = ['NOT_READY', ...steps]

/** Sets an Item to a status, whatever the current one is, and cancels its scheduled pulls. */
export async function setStatus(
  ctx: Context,
  item: ItemRow,
  status: TransactionsUpdateStatus,
): Promise<void> {
  const { item_id } = item
  await deleteJobs(ctx, 'transactionsInitialPull', { item_id })
  await deleteJobs(ctx, 'transactionsHistoricalPull', { item_id })
  const started = await start(ctx, item)
  const [from, to] = [order.indexOf(started.transactions_status), order.indexOf(status)]
  if (from < 0 || to <= from) return settle(ctx, started, status)
  for (const step of steps.slice(from, to)) await stepTo(ctx, started, step)
}

async function start(ctx: Context, item: ItemRow): Promise<ItemRow> {
  if (item.transactions_status !== null) return item
  await startStatus(ctx, item.item_id, defaultDays)
  const added = await addProduct(ctx, item, 'transactions')
  return { ...added, transactions_status: 'NOT_READY', days_requested: defaultDays }
}

/**
 * Sets a status that is not a later step: hides the transactions that it does not allow, and pulls
 * those that it allows.
 */
async function settle(
  ctx: Context,
  item: ItemRow,
  status: TransactionsUpdateStatus,
): Promise<void> {
  await updateStatus(ctx, item.item_id, status)
  if (status === 'NOT_READY') await hideTransactions(ctx, item.item_id, null)
  if (status === 'INITIAL_UPDATE_COMPLETE') {
    await hideTransactions(ctx, item.item_id, firstOf(toDate(ctx.now), initialDays))
  }
  if (status !== 'TRANSACTIONS_UPDATE_STATUS_UNKNOWN') {
    await pullTransactions(ctx, { ...item, transactions_status: status })
  }
  await planCheck(ctx, item)
}
