import { operations } from '#contract/operations.ts'
import { type ErrorKey, errorCatalogue } from '../../../../generated/errors.ts'
import { operations as undatedOperations } from '../../../../generated/undated.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { BodyOf } from '../../kernel/operation.ts'
import { findKey } from '../../pipeline/check-fields.ts'
import { insertInjectedError } from './store.ts'

const everyOperation = Object.entries({ ...operations, ...undatedOperations })

/** Which calls an error waits for, and what goes wrong with them. */
type Injection = Omit<BodyOf<'sandboxErrorInject'>, 'client_id' | 'secret' | 'access_token'>

/**
 * Stores an error for the next calls of an operation, and returns its id. With the hash of an access token
 * it waits for calls with this token only.
 */
export async function injectError(
  ctx: Context,
  { operation: path, times = 1, error_code, delay_ms, drop, unknown_enum }: Injection,
  access_token_hash: string | null,
): Promise<string> {
  const [operationId, operation] =
    everyOperation.find(([, { path: known }]) => known === path) ?? []
  if (!operationId || !operation) {
    throw invalidField('`operation` must be the path of an operation')
  }
  const listed = Object.values(operation.errors).flat()
  if (error_code !== undefined && !findKey(listed, error_code)) {
    throw invalidField('`error_code` must be a code that the operation lists')
  }
  return insertInjectedError(ctx, {
    operation_id: operationId,
    access_token_hash,
    fault: { error_code, delay_ms, drop, unknown_enum },
    times,
  })
}

/** The operations by path, with the codes that each of them lists. */
export const listInjectable = (): { path: string; error_codes: string[] }[] =>
  everyOperation
    .map(([, { path, errors }]) => {
      const codes = Object.values(errors)
        .flat()
        .map((key) => errorCatalogue[key as ErrorKey].code)
      return { path, error_codes: [...new Set(codes)].sort() }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))

const paths = new Map(everyOperation.map(([operationId, { path }]) => [operationId, path]))

/** The path of an operation. */
export const pathOfOperation = (operationId: string): string =>
  paths.get(operationId) ?? operationId
