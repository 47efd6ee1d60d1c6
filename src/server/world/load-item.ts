import type { Product } from '#contract/types.ts'
import type { WorldItem } from '../../../generated/sandbox/types.ts'
import type { Context } from '../context.ts'
import { findInstitution, type InstitutionRow } from '../institutions/store.ts'
import { type ItemInput, insertItem } from '../items/insert-item.ts'
import { toDate } from '../time.ts'
import { planCheck } from '../transactions/check.ts'
import { findUserByClientUserId } from '../users/store.ts'
import { sealSeed, seedOfToken } from './stored-seed.ts'
import { toItemSpec } from './to-item-spec.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

/** Writes an Item with its accounts and all of its story so far. */
export async function loadItem(world: WorldContext, item: WorldItem): Promise<void> {
  const { seed: worldSeed, anchor, ctx: client } = world
  const ctx = contextOf(world, `item/${item.access_token}`)
  const { institution_id } = complete(item, needs.item)
  const institution =
    institution_id === null ? undefined : await findInstitution(ctx, institution_id)
  const origin = `${worldSeed}/${client.client.client_id}`
  const seed = `${origin}/${item.generate?.seed ?? seedOfToken(ctx, item.access_token)}`
  const today = toDate(ctx.now)
  const evolves = item.generate != null && item.generate.evolves !== false
  const { item: row } = await insertItem(ctx, {
    ...(await toItemInput(world, ctx, item, institution)),
    accounts: toItemSpec(item, { seed, anchor, today }).accounts,
    evolution: evolves ? { seed: sealSeed(ctx, seed), since: today } : null,
  })
  // What is dated ahead shows itself when its day comes.
  if (!evolves && row.removed_at === null) await planCheck(ctx, row)
}

async function toItemInput(
  { anchor }: WorldContext,
  ctx: Context,
  item: WorldItem,
  institution: InstitutionRow | undefined,
): Promise<Omit<ItemInput, 'accounts'>> {
  const time = (text: string | null | undefined) =>
    text == null ? null : toWorldTime(anchor, text)
  const user = item.client_user_id && (await findUserByClientUserId(ctx, item.client_user_id))
  return {
    access_token: item.access_token,
    ...(item.item_id === undefined ? {} : { item_id: item.item_id }),
    institution: institution ?? null,
    webhook: item.webhook ?? null,
    auth_method: item.auth_method ?? null,
    update_type: item.update_type ?? 'background',
    consent_expiration_time: time(item.consent_expiration_time),
    ...productsOf(item, institution),
    error: item.error ?? null,
    user_id: user ? user.user_id : null,
    ...statusOf(item),
    removed_at: time(item.removed_at),
    created_at: toWorldTime(anchor, item.created_at ?? twoWeeksAgo),
  }
}

const twoWeeksAgo = '-14 days'

/** Where each product of the Item stands. */
function productsOf(item: WorldItem, institution: InstitutionRow | undefined) {
  const all: Product[] = institution ? JSON.parse(institution.products) : []
  const { products = [], available_products = all } = item
  const { consented_products = [...all, ...products] } = item
  return { products, available_products, consented_products }
}

const twoYears = 730

function statusOf(item: WorldItem) {
  const used = item.products?.includes('transactions') ? 'HISTORICAL_UPDATE_COMPLETE' : null
  const transactions_status = item.transactions_update_status ?? used
  const days_requested = transactions_status === null ? null : (item.days_requested ?? twoYears)
  return { transactions_status, days_requested }
}
