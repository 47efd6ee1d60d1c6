import type { HandlerOf } from '../../kernel/operation.ts'
import { insertDashboardUser } from '../../users/dashboard-store.ts'

export const sandboxDashboardUserCreate: HandlerOf<'sandboxDashboardUserCreate'> = async (
  ctx,
  { body },
) => {
  const { email_address, status = 'invited' } = body
  return { id: await insertDashboardUser(ctx, { email_address, status, isTestData: true }) }
}
