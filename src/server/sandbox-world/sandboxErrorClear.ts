import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'
import { deleteInjectedErrors } from './store.ts'

export async function sandboxErrorClear(
  ctx: Context,
  _request: SandboxRequestOf<'sandboxErrorClear'>,
): Promise<SandboxResponseOf<'sandboxErrorClear'>> {
  await deleteInjectedErrors(ctx)
  return {}
}
