import type { Product } from '#contract/closed.ts'
import { findClientWebhook } from '../clients/store.ts'
import { findInstitution, type InstitutionRow } from '../institutions/store.ts'
import { toProductColumns } from '../items/item.ts'
import { type ItemRow, insertItemRow, lockItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { LinkOrder } from './connector.ts'
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

const fileConnector = 'file'
/** The longest history that the interface gives. */
const longestDays = 730

/** The Item of a user at an institution, locked until the commit. If there is none, one is made. */
export async function findOrMakeItem(ctx: Context, user: SourceUser): Promise<SourceItem> {
  const { institution_id, client_user_id } = user
  const user_hash = hashOf(ctx, client_user_id)
  const found = await findSourceOfUser(ctx, {
    user_hash,
    institution_id,
    connector: fileConnector,
  })
  if (found) return { item: await lockItem(ctx, found.item_id) }
  const institution = await findOrMakeInstitution(ctx, institution_id)
  rejectNewItems(institution)
  const products = productsOf(institution)
  const item = toItemRow(ctx, institution, {
    webhook: await findClientWebhook(ctx),
    products,
    available: [],
    userId: null,
  })
  return insertSourced(ctx, item, user)
}

async function insertSourced(
  ctx: Context,
  item: ItemRow,
  { client_user_id, institution_id }: SourceUser,
  connector = fileConnector,
): Promise<SourceItem> {
  const access_token = ctx.newId('access_token')
  await insertItemRow(ctx, item, access_token)
  await insertItemSource(ctx, {
    item_id: item.item_id,
    connector,
    institution_id,
    user_hash: hashOf(ctx, client_user_id),
    client_user_id: ctx.keys.encrypt(client_user_id),
    key_version: keyVersion,
    created_at: ctx.now,
  })
  return { item, access_token }
}

const hashOf = ({ keys }: Context, clientUserId: string): string =>
  keys.hash(`user\n${clientUserId}`)

/**
 * A new Item of the link page. It has the products that the user has agreed to. `more` is what differs
 * from an Item of files.
 */
export async function makeItem(
  ctx: Context,
  order: LinkOrder,
  more: Partial<ItemRow> = {},
  connector?: string,
): Promise<SourceItem> {
  const { institution_id } = order.institution
  const institution = await findInstitution(ctx, institution_id)
  if (!institution) throw new ApiError('INVALID_INSTITUTION')
  const { webhook, products, userId } = order
  const given: readonly Product[] = productsOf(institution)
  const available = given.filter((one) => !products.includes(one))
  const item = {
    ...toItemRow(ctx, institution, { webhook, products, available, userId }),
    ...more,
  }
  const user = { client_user_id: order.clientUserId, institution_id }
  return insertSourced(ctx, item, user, connector)
}

/** An Item whose data is imported, locked until the commit; undefined for another one. */
export async function findImportedItem(
  ctx: Context,
  itemId: string,
): Promise<SourceItem | undefined> {
  const source = await findItemSource(ctx, itemId)
  return source && { item: await lockItem(ctx, itemId) }
}

interface Given {
  webhook: string | null
  products: readonly Product[]
  available: readonly Product[]
  userId: string | null
}

const toItemRow = (
  ctx: Context,
  institution: InstitutionRow,
  { webhook, products, available, userId }: Given,
): ItemRow => ({
  item_id: ctx.newId('opaque'),
  institution_id: institution.institution_id,
  institution_name: institution.name,
  webhook,
  auth_method: null,
  update_type: 'user_present_required',
  consent_expiration_time: null,
  ...toProductColumns({
    products,
    available,
    consented: products,
  }),
  health_error: null,
  health_reason: null,
  health_products: null,
  transactions_updated_at: null,
  transactions_failed_at: null,
  evolves: 0,
  seed: null,
  user_id: userId,
  // Everything that its files hold is there at once.
  transactions_status: 'HISTORICAL_UPDATE_COMPLETE',
  days_requested: longestDays,
  transactions_sequence: 0,
  uses_sync: 0,
  removed_at: null,
  created_at: ctx.now,
})
