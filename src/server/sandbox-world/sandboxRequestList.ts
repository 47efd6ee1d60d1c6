import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxRequestList(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxRequestList'>,
): Promise<SandboxResponseOf<'sandboxRequestList'>> {
  throw new Error('sandboxRequestList is not built yet')
}
