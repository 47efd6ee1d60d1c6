import type { Product } from '#contract/closed.ts'
import { type InsertedItem, insertItem } from '../../fixtures/insert-item.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { insertPublicToken } from '../../link/store.ts'
import type { AccountSpec } from '../../simulation/item-spec.ts'
import { createLinkedSpec, type Linking } from './linked-spec.ts'

/** An Item to link, with generated or custom data. */
export interface ItemToLink extends Omit<Linking, 'seed'> {
  /** What its data is generated from. Left out, chance. */
  seed?: string
  products: readonly Product[]
  webhook: string | null
  userId: string | null
  /** Which accounts the user shares, also by their place. Left out, all. */
  isShared?: (account: AccountSpec, index: number) => boolean
}

/** Links an Item, and returns the token for one exchange. */
export async function linkItem(
  ctx: Context,
  { products, webhook, userId, isShared = () => true, ...rest }: ItemToLink,
): Promise<InsertedItem & { public_token: string }> {
  const { seed = ctx.newId('uuid'), ...linking } = rest
  const { connection, history } = linking
  const { accounts, evolves } = await createLinkedSpec({ seed, ...linking })
  const shared = accounts.filter(isShared)
  if (shared.length === 0) {
    throw invalidField('`link_token` must let through an account of the institution')
  }
  const inserted = await insertItem(ctx, {
    institution: connection.institution,
    webhook,
    auth_method: connection.authMethod,
    products,
    available_products: connection.supported,
    consented_products: connection.supported,
    user_id: userId,
    days_requested: history.daysRequested,
    evolution: evolves ? { seed, since: history.to } : null,
    accounts: shared,
  })
  const { item, access_token } = inserted
  const public_token = ctx.newId('public_token')
  await insertPublicToken(ctx, { public_token, item_id: item.item_id, access_token })
  return { ...inserted, public_token }
}
