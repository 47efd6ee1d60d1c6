import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxClientCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxClientCreate'>,
): Promise<SandboxResponseOf<'sandboxClientCreate'>> {
  throw new Error('sandboxClientCreate is not built yet')
}
