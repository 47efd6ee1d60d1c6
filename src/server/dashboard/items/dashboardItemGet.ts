import { ApiError } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { toAdvice, toDashboardAccount, toDashboardItem } from './item.ts'
import { listAccountsOf } from './store.ts'

export const dashboardItemGet: PageHandler<'dashboardItemGet'> = async (ctx, { body }) => {
  const rows = await listAccountsOf(ctx, body.item_id)
  const [row] = rows
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  const isPersonal = ctx.seesPersonalData && ctx.settings.environment === 'production'
  // A look at data of real people stands in the log, so this read writes there.
  if (isPersonal) await auditPage(ctx, 'item.view', body.item_id)
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
