import { sandboxReset } from '../../sandbox/world/sandboxReset.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardDataReset: PageHandler<'dashboardDataReset'> = async (ctx) => {
  await sandboxReset(ctx, { body: {} })
  await auditPage(ctx, 'client.reset', ctx.client.client_id)
  return {}
}
