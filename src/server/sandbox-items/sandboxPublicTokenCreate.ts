import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxPublicTokenCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxPublicTokenCreate'>,
): Promise<SandboxResponseOf<'sandboxPublicTokenCreate'>> {
  throw new Error('sandboxPublicTokenCreate is not built yet')
}
