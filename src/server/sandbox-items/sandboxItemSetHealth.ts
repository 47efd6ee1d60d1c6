import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxItemSetHealth(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxItemSetHealth'>,
): Promise<SandboxResponseOf<'sandboxItemSetHealth'>> {
  throw new Error('sandboxItemSetHealth is not built yet')
}
