import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { insertDashboardUser } from '../../users/dashboard-store.ts'

export async function sandboxDashboardUserCreate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxDashboardUserCreate'>,
): Promise<SandboxResponseOf<'sandboxDashboardUserCreate'>> {
  const { email_address, status = 'invited' } = body
  return { id: await insertDashboardUser(ctx, { email_address, status }) }
}
