import { findClientWebhook } from '../clients/store.ts'
import type { InstitutionRow } from '../institutions/store.ts'
import { toProductColumns } from '../items/item.ts'
import { type ItemRow, insertItemRow, lockItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { findOrMakeInstitution, productsOf, rejectNewItems } from './file-institution.ts'
import { keyVersion } from './row-key.ts'
import { findItemSource, findSourceOfUser, insertItemSource } from './store.ts'

/** Whose data is imported, and from where. */
export interface SourceUser {
  client_user_id: string
  institution_id: string
}

/** An Item, and its access token where it is new. */
export interface SourceItem {
  item: ItemRow
  access_token?: string
}

const connector = 'file'
/** The longest history that the interface gives. */
const longestDays = 730

/** The Item of a user at an institution, locked until the commit. If there is none, one is made. */
export async function findOrMakeItem(ctx: Context, user: SourceUser): Promise<SourceItem> {
  const { institution_id, client_user_id } = user
  const user_hash = ctx.keys.hash(`user\n${client_user_id}`)
  const found = await findSourceOfUser(ctx, { user_hash, institution_id, connector })
  if (found) return { item: await lockItem(ctx, found.item_id) }
  const institution = await findOrMakeInstitution(ctx, institution_id)
  rejectNewItems(institution)
  const item = toItemRow(ctx, institution, await findClientWebhook(ctx))
  const access_token = ctx.newId('access_token')
  await insertItemRow(ctx, item, access_token)
  await insertItemSource(ctx, {
    item_id: item.item_id,
    connector,
    institution_id,
    user_hash,
    client_user_id: ctx.keys.encrypt(client_user_id),
    key_version: keyVersion,
    created_at: ctx.now,
  })
  return { item, access_token }
}

/** An Item whose data is imported, locked until the commit; undefined for another one. */
export async function findImportedItem(
  ctx: Context,
  itemId: string,
): Promise<SourceItem | undefined> {
  const source = await findItemSource(ctx, itemId)
  return source && { item: await lockItem(ctx, itemId) }
}

const toItemRow = (ctx: Context, institution: InstitutionRow, webhook: string | null): ItemRow => ({
  item_id: ctx.newId('opaque'),
  institution_id: institution.institution_id,
  institution_name: institution.name,
  webhook,
  auth_method: null,
  update_type: 'user_present_required',
  consent_expiration_time: null,
  ...toProductColumns({
    products: productsOf(institution),
    available: [],
    consented: productsOf(institution),
  }),
  health_error: null,
  health_reason: null,
  health_products: null,
  transactions_updated_at: null,
  transactions_failed_at: null,
  evolves: 0,
  seed: null,
  user_id: null,
  // Everything that its files hold is there at once.
  transactions_status: 'HISTORICAL_UPDATE_COMPLETE',
  days_requested: longestDays,
  transactions_sequence: 0,
  uses_sync: 0,
  removed_at: null,
  created_at: ctx.now,
})
