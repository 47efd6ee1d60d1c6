import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransferCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransferCreate'>,
): Promise<SandboxResponseOf<'sandboxTransferCreate'>> {
  throw new Error('sandboxTransferCreate is not built yet')
}
