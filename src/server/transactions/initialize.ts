import type { TransactionsUpdateStatus } from '#contract/closed.ts'
import { addProduct } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { findLiving, planCheck } from './check-institution.ts'
import { announceHistory } from './emit-updates.ts'
import { pullTransactions } from './pull.ts'
import { startStatus, updateStatus } from './store.ts'

/** The default number of days of history for an Item. */
export const defaultDays = 90

/**
 * Initializes transactions for an Item, unless that was done before. The pulls run after the
 * commit.
 */
export async function initializeTransactions(
  ctx: Context,
  item: ItemRow,
  days: number = defaultDays,
): Promise<void> {
  if (item.transactions_status !== null) return
  // Of two concurrent first calls only one may schedule the pulls.
  if (!(await startStatus(ctx, item.item_id, days))) return
  await addProduct(ctx, item, 'transactions')
  await ctx.schedule('transactionsInitialPull', { item_id: item.item_id })
}

/** The latest 30 days. */
export async function pullInitial(ctx: Context, { item_id }: { item_id: string }): Promise<void> {
  const item = await findLiving(ctx, item_id)
  if (item?.transactions_status !== 'NOT_READY') return
  await stepTo(ctx, item, 'INITIAL_UPDATE_COMPLETE')
  await ctx.schedule('transactionsHistoricalPull', { item_id })
}

/** The rest of the requested history. */
export async function pullHistorical(
  ctx: Context,
  { item_id }: { item_id: string },
): Promise<void> {
  const item = await findLiving(ctx, item_id)
  if (item?.transactions_status !== 'INITIAL_UPDATE_COMPLETE') return
  await stepTo(ctx, item, 'HISTORICAL_UPDATE_COMPLETE')
}

const parts = {
  INITIAL_UPDATE_COMPLETE: 'INITIAL_UPDATE',
  HISTORICAL_UPDATE_COMPLETE: 'HISTORICAL_UPDATE',
} as const satisfies Partial<Record<TransactionsUpdateStatus, string>>

/** Moves the Item to the next status: pulls its transactions and sends its webhooks. */
export async function stepTo(
  ctx: Context,
  item: ItemRow,
  status: keyof typeof parts,
): Promise<void> {
  const next = { ...item, transactions_status: status }
  await updateStatus(ctx, item.item_id, status)
  const count = await pullTransactions(ctx, next)
  await announceHistory(ctx, next, parts[status], count)
  await planCheck(ctx, next)
}
