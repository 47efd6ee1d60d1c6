import type { WebhookError } from '#contract/closed.ts'
import { errorCatalogue } from '../../../generated/errors.ts'
import type { Context } from '../kernel/context.ts'
import { toHealthKey, toWebhookError } from './item.ts'
import { type ItemRow, updateItem } from './store.ts'

type Health = Pick<ItemRow, 'health_error' | 'health_reason' | 'health_products'>

/** Sets what is wrong with a locked Item, and sends the webhook if that is another error, or none. */
export async function changeHealth(ctx: Context, item: ItemRow, changes: Health): Promise<void> {
  await updateItem(ctx, item.item_id, changes)
  const before = item.health_error
  if (changes.health_error === before) return
  const changed = { ...item, ...changes }
  const failure = toWebhookError(ctx, changed)
  if (failure) await emitFailure(ctx, changed, failure)
  else if (before !== null && needsUser(before)) await emitRepaired(ctx, item)
}

async function emitFailure(ctx: Context, item: ItemRow, error: WebhookError): Promise<void> {
  const { item_id, webhook, health_error } = item
  const isRevoked = health_error === 'USER_PERMISSION_REVOKED'
  const name = isRevoked ? 'ITEM.USER_PERMISSION_REVOKED' : 'ITEM.ERROR'
  await ctx.emit(name, { item_id, error }, { url: webhook, item_id })
}

const emitRepaired = (ctx: Context, { item_id, webhook }: ItemRow): Promise<void> =>
  ctx.emit('ITEM.LOGIN_REPAIRED', { item_id }, { url: webhook, item_id })

/** Errors of institutions end without the user. */
const needsUser = (code: string): boolean =>
  errorCatalogue[toHealthKey(code)].type !== 'INSTITUTION_ERROR'

/** The columns of an Item with an error, or of one without. */
export const healthOf = (health_error: string | null): Health => ({
  health_error,
  health_reason: null,
  health_products: null,
})
