import { ApiError } from '../../kernel/errors.ts'
import type { LookHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { toAdvice, toDashboardAccount, toDashboardItem } from './item.ts'
import { listAccountsOf } from './store.ts'

export const dashboardItemGet: LookHandler<'dashboardItemGet'> = async (ctx, { body }) => {
  const rows = await listAccountsOf(ctx, body.item_id)
  const [row] = rows
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  // A look stands in the log, so this read may write there.
  if (ctx.seesPersonalData) await recordLook(ctx, 'item.view', body.item_id)
  return {
    item: toDashboardItem(row),
    webhook: row.webhook,
    products: JSON.parse(row.products) as string[],
    consented_products: JSON.parse(row.consented_products) as string[],
    consent_expiration_time: row.consent_expiration_time,
    update_type: row.update_type,
    transactions: Number(row.transactions),
    last_transactions_update: row.transactions_updated_at,
    advice: row.health_error === null ? null : toAdvice(row.health_error),
    accounts: rows.flatMap(({ account_id, ...rest }) =>
      account_id === null
        ? []
        : [toDashboardAccount({ ...rest, account_id }, ctx.seesPersonalData)],
    ),
  }
}
dashboardItemGet.reads = true
