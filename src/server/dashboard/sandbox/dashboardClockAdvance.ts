import { sandboxClockAdvance } from '../../sandbox/world/sandboxClockAdvance.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardClockAdvance: PageHandler<'dashboardClockAdvance'> = async (
  ctx,
  { body },
) => {
  const { now } = await sandboxClockAdvance(ctx, { body })
  const { client_id } = ctx.client
  await auditPage(ctx, 'clock.advance', client_id, { before: ctx.now, after: now })
  return { now }
}
