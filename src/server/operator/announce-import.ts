import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { CommittedStatement } from '../sources/commit-statement.ts'
import { announceChanges, announceHistory } from '../transactions/emit-updates.ts'

/** Sends the webhooks for what an import has changed. */
export async function announceImport(
  ctx: Context,
  item: ItemRow,
  committed: readonly CommittedStatement[],
  isNewItem: boolean,
): Promise<void> {
  const added = committed.reduce((sum, { changes }) => sum + changes.added, 0)
  if (isNewItem) {
    await announceHistory(ctx, item, 'INITIAL_UPDATE', added)
    return announceHistory(ctx, item, 'HISTORICAL_UPDATE', added)
  }
  if (committed.some(({ isNew }) => isNew)) {
    const { item_id, webhook: url } = item
    await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', { item_id, error: null }, { url, item_id })
  }
  await announceChanges(ctx, item, {
    added,
    modified: committed.some(({ changes }) => changes.modified),
    removed: committed.flatMap(({ changes }) => changes.removed),
  })
}
