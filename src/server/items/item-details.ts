import type { ItemDetails, ItemStatus } from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import { toTimestamp } from '../kernel/time.ts'
import { toItem, toItemError } from './item.ts'
import type { LastWebhook } from './item-details-store.ts'
import type { ItemRow } from './store.ts'

/** The Item as the platform API shows it: with its health. */
export const toItemDetails = (ctx: Context, row: ItemRow): ItemDetails => ({
  ...toItem(row),
  error: toItemError(ctx, row),
  created_at: row.created_at,
})

/** What the service last did for an Item. */
export const toItemStatus = (row: ItemRow, lastWebhook: LastWebhook | undefined): ItemStatus => ({
  transactions:
    row.transactions_status === null
      ? null
      : {
          last_successful_update: row.transactions_updated_at,
          last_failed_update: row.transactions_failed_at,
        },
  last_webhook: lastWebhook
    ? { sent_at: toTimestamp(lastWebhook.attempted_at), code_sent: lastWebhook.webhook_code }
    : null,
})
