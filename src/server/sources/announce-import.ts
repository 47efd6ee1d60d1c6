import type { IdentityUpdateKind, Owner } from '#contract/closed.ts'
import { findUpdatedKinds } from '../items/owners.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { announceChanges, announceHistory } from '../transactions/emit-updates.ts'
import type { CommittedStatement } from './commit-statement.ts'
import type { ChangedOwners } from './source-account.ts'

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
  await announceOwners(ctx, item, committed)
  await announceChanges(ctx, item, {
    added,
    modified: committed.some(({ changes }) => changes.modified),
    removed: committed.flatMap(({ changes }) => changes.removed),
  })
}

/** Tells of owners that were known before and have changed. */
async function announceOwners(
  ctx: Context,
  { item_id, webhook: url }: ItemRow,
  committed: readonly CommittedStatement[],
): Promise<void> {
  const changed = new Map<string, ChangedOwners>()
  const fresh = committed.filter(({ isNew }) => isNew).map(({ account_id }) => account_id)
  for (const { account_id, owners } of committed) {
    if (!owners || fresh.includes(account_id)) continue
    const { before } = changed.get(account_id) ?? owners
    changed.set(account_id, { before, after: owners.after })
  }
  const account_ids_with_updated_identity: Record<string, IdentityUpdateKind[]> = {}
  for (const [account_id, { before, after }] of changed) {
    const kinds = findUpdatedKinds(JSON.parse(before) as Owner[], JSON.parse(after) as Owner[])
    if (kinds.length > 0) account_ids_with_updated_identity[account_id] = kinds
  }
  if (Object.keys(account_ids_with_updated_identity).length === 0) return
  const fields = { item_id, account_ids_with_updated_identity, error: null }
  await ctx.emit('IDENTITY.DEFAULT_UPDATE', fields, { url, item_id })
}
