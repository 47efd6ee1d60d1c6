import type { IdentityUpdateKind, Owner } from '#contract/closed.ts'
import { hasFeature } from '../clients/client.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { type AccountRow, listAllAccounts, updateAccount } from './account-store.ts'
import { checkProduct, hasProduct, notEnabled, rejectUnhealthy } from './item.ts'
import { findUpdatedKinds } from './owners.ts'
import { lockItemOf } from './store.ts'

export const identityRefresh: HandlerOf<'identityRefresh'> = async (ctx, { body }) => {
  // Of two concurrent refreshes only one may find the changes.
  const item = await lockItemOf(ctx, body.access_token)
  const { item_id } = item
  rejectUnhealthy(item, 'identity', 'identityRefresh')
  if (!hasFeature(ctx.client, 'identity_refresh')) throw new ApiError('INVALID_PRODUCT')
  checkProduct(item, 'identity', 'identityRefresh')
  if (!hasProduct(item, 'identity')) throw notEnabled('/identity/get')
  const account_ids_with_updated_identity: Record<string, IdentityUpdateKind[]> = {}
  for (const account of await listAllAccounts(ctx, item_id)) {
    const updated = await takeOver(ctx, account)
    if (updated.length === 0 || account.closed === 1) continue
    account_ids_with_updated_identity[account.account_id] = updated
  }
  if (Object.keys(account_ids_with_updated_identity).length > 0) {
    const fields = { item_id, account_ids_with_updated_identity, error: null }
    await ctx.emit('IDENTITY.DEFAULT_UPDATE', fields, { url: item.webhook, item_id })
  }
  return {}
}

/** Shows the institution's current data of an account's owners. Returns the changes. */
async function takeOver(ctx: Context, account: AccountRow): Promise<IdentityUpdateKind[]> {
  const { owners, pending_owners } = account
  if (pending_owners === null) return []
  await updateAccount(ctx, account, { owners: pending_owners, pending_owners: null })
  return findUpdatedKinds(JSON.parse(owners) as Owner[], JSON.parse(pending_owners) as Owner[])
}
