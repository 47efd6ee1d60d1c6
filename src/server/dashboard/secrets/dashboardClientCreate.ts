import { sandboxClientCreate } from '../../sandbox/world/sandboxClientCreate.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardClientCreate: PageHandler<'dashboardClientCreate'> = async (
  ctx,
  { body },
) => {
  const created = await sandboxClientCreate(ctx, { body })
  await auditPage(ctx, 'client.create', created.client_id, { name: body.client_name })
  return created
}
