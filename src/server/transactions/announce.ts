import type { Context } from '../context.ts'
import type { ItemRow } from '../items/store.ts'

type Told = Pick<ItemRow, 'item_id' | 'webhook' | 'transactions_status' | 'uses_sync'>

/** What a look at the institution has changed about what an Item shows. */
export interface ShownChanges {
  added: number
  /** Whether something changed under the id that it has. */
  modified: boolean
  removed: string[]
}

export const noChanges = (): ShownChanges => ({ added: 0, modified: false, removed: [] })

const targetOf = ({ item_id, webhook }: Told) => ({ url: webhook, item_id })

/** Sends the webhooks that changes call for; none when there are none. */
export async function announceChanges(
  ctx: Context,
  item: Told,
  { added, modified, removed }: ShownChanges,
): Promise<void> {
  const { item_id } = item
  if (added > 0) {
    const fields = { item_id, new_transactions: added, error: null }
    await ctx.emit('TRANSACTIONS.DEFAULT_UPDATE', fields, targetOf(item))
  }
  if (removed.length > 0) {
    const fields = { item_id, removed_transactions: removed, error: null }
    await ctx.emit('TRANSACTIONS.TRANSACTIONS_REMOVED', fields, targetOf(item))
  }
  if (added > 0 || modified || removed.length > 0) await announceSync(ctx, item)
}

/** Tells that part of the history is there now. */
export async function announceHistory(
  ctx: Context,
  item: Told,
  part: 'INITIAL_UPDATE' | 'HISTORICAL_UPDATE',
  count: number,
): Promise<void> {
  const fields = { item_id: item.item_id, new_transactions: count, error: null }
  await ctx.emit(`TRANSACTIONS.${part}`, fields, targetOf(item))
  await announceSync(ctx, item)
}

/** Only who has called sync hears of it. */
async function announceSync(ctx: Context, item: Told): Promise<void> {
  if (item.uses_sync === 0) return
  const complete = item.transactions_status === 'HISTORICAL_UPDATE_COMPLETE'
  const fields = {
    item_id: item.item_id,
    initial_update_complete: complete || item.transactions_status === 'INITIAL_UPDATE_COMPLETE',
    historical_update_complete: complete,
  }
  await ctx.emit('TRANSACTIONS.SYNC_UPDATES_AVAILABLE', fields, targetOf(item))
}
