import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { deleteInjectedErrors } from './store.ts'

export async function sandboxErrorClear(
  ctx: Context,
  _request: SandboxRequestOf<'sandboxErrorClear'>,
): Promise<SandboxResponseOf<'sandboxErrorClear'>> {
  await deleteInjectedErrors(ctx)
  return {}
}
