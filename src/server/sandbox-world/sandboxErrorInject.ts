import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxErrorInject(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxErrorInject'>,
): Promise<SandboxResponseOf<'sandboxErrorInject'>> {
  throw new Error('sandboxErrorInject is not built yet')
}
