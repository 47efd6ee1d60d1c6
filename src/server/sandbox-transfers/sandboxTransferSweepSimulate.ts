import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxTransferSweepSimulate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxTransferSweepSimulate'>,
): Promise<SandboxResponseOf<'sandboxTransferSweepSimulate'>> {
  throw new Error('sandboxTransferSweepSimulate is not built yet')
}
