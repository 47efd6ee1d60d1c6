import type { HandlerOf } from '../../kernel/operation.ts'
import { deleteInjectedErrors } from './store.ts'

export const sandboxErrorClear: HandlerOf<'sandboxErrorClear'> = async (ctx) => {
  await deleteInjectedErrors(ctx)
  return {}
}
