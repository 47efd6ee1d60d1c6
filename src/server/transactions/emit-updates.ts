import { toWebhookError } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'

/** The changes that a check of the institution has made to the shown transactions. */
export interface ShownChanges {
  added: number
  /** Whether a transaction changed without a new id. */
  modified: boolean
  removed: string[]
}

export const noChanges = (): ShownChanges => ({ added: 0, modified: false, removed: [] })

const targetOf = ({ item_id, webhook }: ItemRow) => ({ url: webhook, item_id })

/** Sends the webhooks for the changes, if there are any. */
export async function announceChanges(
  ctx: Context,
  item: ItemRow,
  { added, modified, removed }: ShownChanges,
): Promise<void> {
  const { item_id } = item
  const error = toWebhookError(ctx, item)
  if (added > 0) {
    const fields = { item_id, new_transactions: added, error }
    await ctx.emit('TRANSACTIONS.DEFAULT_UPDATE', fields, targetOf(item))
  }
  if (removed.length > 0) {
    const fields = { item_id, removed_transactions: removed, error }
    await ctx.emit('TRANSACTIONS.TRANSACTIONS_REMOVED', fields, targetOf(item))
  }
  if (added > 0 || modified || removed.length > 0) await announceSync(ctx, item)
}

/** Sends the webhook that a part of the history is available. */
export async function announceHistory(
  ctx: Context,
  item: ItemRow,
  part: 'INITIAL_UPDATE' | 'HISTORICAL_UPDATE',
  count: number,
): Promise<void> {
  const fields = { item_id: item.item_id, new_transactions: count }
  // In the contract, `INITIAL_UPDATE` cannot carry an error.
  await (part === 'INITIAL_UPDATE'
    ? ctx.emit(`TRANSACTIONS.${part}`, { ...fields, error: null }, targetOf(item))
    : ctx.emit(
        `TRANSACTIONS.${part}`,
        { ...fields, error: toWebhookError(ctx, item) },
        targetOf(item),
      ))
  await announceSync(ctx, item)
}

/** Sent only for Items that have used sync. */
async function announceSync(ctx: Context, item: ItemRow): Promise<void> {
  if (item.uses_sync === 0) return
  const complete = item.transactions_status === 'HISTORICAL_UPDATE_COMPLETE'
  const fields = {
    item_id: item.item_id,
    initial_update_complete: complete || item.transactions_status === 'INITIAL_UPDATE_COMPLETE',
    historical_update_complete: complete,
  }
  await ctx.emit('TRANSACTIONS.SYNC_UPDATES_AVAILABLE', fields, targetOf(item))
}
