import type { OperationId } from '../../generated/2020-09-14/operations.ts'
import type { operations } from '../../generated/2020-09-14/types.ts'
import type { Context } from './context.ts'

/** What a handler is given: a body that has been checked, without credentials. */
export interface RequestOf<Id extends OperationId> {
  body: Omit<
    operations[Id]['requestBody']['content']['application/json'],
    'client_id' | 'secret' | 'client_secret'
  >
}

/** What a handler returns: the body of the success answer; the pipeline adds its `request_id`. */
export type ResponseOf<Id extends OperationId> = Omit<
  operations[Id]['responses'][200]['content']['application/json'],
  'request_id'
>

export type Handler<Id extends OperationId> = (
  ctx: Context,
  request: RequestOf<Id>,
) => Promise<ResponseOf<Id>>

/** A handler for every operation: one that is missing, surplus or swapped does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> }
