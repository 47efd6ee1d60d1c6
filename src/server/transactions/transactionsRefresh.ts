import { hasFeature } from '../clients/client.ts'
import { listAccounts } from '../items/account-store.ts'
import { checkProduct, hasProduct, notEnabled, rejectUnhealthy } from '../items/item.ts'
import { lockItem, requireItem } from '../items/store.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { askForPull } from './ask-for-pull.ts'
import { readInstitution } from './check-institution.ts'
import { announceChanges } from './emit-updates.ts'
import { initializeTransactions } from './initialize.ts'

/** Fails for Items without a depository account. */
const depositoryOnly = 'ins_128026'

export const transactionsRefresh: HandlerOf<'transactionsRefresh'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  rejectUnhealthy(item, 'transactions', 'transactionsRefresh')
  if (!hasFeature(ctx.client, 'transactions_refresh')) throw new ApiError('INVALID_PRODUCT')
  checkProduct(item, 'transactions', 'transactionsRefresh')
  if (!hasProduct(item, 'transactions')) throw notEnabled('/transactions/sync')
  if (item.institution_id === depositoryOnly) {
    const accounts = await listAccounts(ctx, item.item_id)
    if (accounts.every(({ type }) => type !== 'depository')) {
      throw new ApiError('PRODUCTS_NOT_SUPPORTED')
    }
  }
  const wait = await askForPull(ctx, item.item_id)
  if (wait === 0) {
    ctx.finishPull(item.item_id)
    return {}
  }
  if (wait !== undefined) throw limitOfSource(wait)
  await initializeTransactions(ctx, item)
  // The stored transactions must not change between reading and comparison.
  const locked = await lockItem(ctx, item.item_id)
  await announceChanges(ctx, locked, await readInstitution(ctx, locked))
  return {}
}

const limitOfSource = (wait: number) =>
  new ApiError('TRANSACTIONS_REFRESH_LIMIT', {
    message: 'the institution allows no more reads of this Item now',
    retryAfter: Math.ceil(wait / 1000),
  })
