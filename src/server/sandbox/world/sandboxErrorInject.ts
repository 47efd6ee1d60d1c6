import { operations } from '#contract/operations.ts'
import { operations as undatedOperations } from '../../../../generated/undated.ts'
import { requireItem } from '../../items/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { findKey } from '../../pipeline/check-fields.ts'
import { insertInjectedError } from './store.ts'

const everyOperation = Object.entries({ ...operations, ...undatedOperations })

export const sandboxErrorInject: HandlerOf<'sandboxErrorInject'> = async (ctx, { body }) => {
  const {
    operation: path,
    access_token,
    times = 1,
    error_code,
    delay_ms,
    drop,
    unknown_enum,
  } = body
  const [operationId, operation] =
    everyOperation.find(([, { path: known }]) => known === path) ?? []
  if (!operationId || !operation) {
    throw invalidField('`operation` must be the path of an operation')
  }
  const listed = Object.values(operation.errors).flat()
  if (error_code !== undefined && !findKey(listed, error_code)) {
    throw invalidField('`error_code` must be a code that the operation lists')
  }
  if (access_token !== undefined) await requireItem(ctx, access_token)
  await insertInjectedError(ctx, {
    operation_id: operationId,
    access_token_hash: access_token === undefined ? null : ctx.keys.hash(access_token),
    fault: { error_code, delay_ms, drop, unknown_enum },
    times,
  })
  return {}
}
