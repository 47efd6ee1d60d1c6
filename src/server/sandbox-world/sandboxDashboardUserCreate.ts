import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxDashboardUserCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxDashboardUserCreate'>,
): Promise<SandboxResponseOf<'sandboxDashboardUserCreate'>> {
  throw new Error('sandboxDashboardUserCreate is not built yet')
}
