import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxAccountUpdate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxAccountUpdate'>,
): Promise<SandboxResponseOf<'sandboxAccountUpdate'>> {
  throw new Error('sandboxAccountUpdate is not built yet')
}
