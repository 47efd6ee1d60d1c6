import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxAccountCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxAccountCreate'>,
): Promise<SandboxResponseOf<'sandboxAccountCreate'>> {
  throw new Error('sandboxAccountCreate is not built yet')
}
