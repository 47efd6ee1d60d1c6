import type { OperationId } from '#contract/operations.ts'
import type { operations } from '#contract/types.ts'
import type { OperationId as SandboxOperationId } from '../../../generated/sandbox/operations.ts'
import type { operations as sandboxOperations } from '../../../generated/sandbox/types.ts'
import type { Context } from './context.ts'

type Credential = 'client_id' | 'secret' | 'client_secret'

interface Described {
  requestBody: { content: { 'application/json': object } }
  responses: { 200: { content: { 'application/json': object } } }
}

/** A body that has been checked, without credentials. */
interface Checked<Operation extends Described> {
  body: Omit<Operation['requestBody']['content']['application/json'], Credential>
}

/** A success answer; the pipeline adds its `request_id`. */
type Answer<Operation extends Described> = Omit<
  Operation['responses'][200]['content']['application/json'],
  'request_id'
>

/** What a handler is given. */
export type RequestOf<Id extends OperationId> = Checked<operations[Id]>

/** What a handler returns. */
export type ResponseOf<Id extends OperationId> = Answer<operations[Id]>

/** The same for the sandbox endpoints. */
export type SandboxRequestOf<Id extends SandboxOperationId> = Checked<sandboxOperations[Id]>
export type SandboxResponseOf<Id extends SandboxOperationId> = Answer<sandboxOperations[Id]>

/** What a handler says of its work, as a property of the function: `walletGet.reads = true`. */
export interface Work<Body = never> {
  /** It only reads, or writes in rare cases: it starts without a transaction. */
  reads?: boolean
  /** It asks the database for one statement at most, which PostgreSQL then gets with those of others. */
  single?: boolean | ((body: Body) => boolean)
  /** It only reads, mostly by one statement, and no body tells when; with a second one it runs again. */
  usuallySingle?: boolean
}

/** A handler for every operation: one that is missing, surplus or swapped does not compile. */
export type Handlers = {
  [Id in OperationId]: Work<RequestOf<Id>['body']> &
    ((ctx: Context, request: RequestOf<Id>) => Promise<ResponseOf<Id>>)
}

export type SandboxHandlers = {
  [Id in SandboxOperationId]: Work<SandboxRequestOf<Id>['body']> &
    ((ctx: Context, request: SandboxRequestOf<Id>) => Promise<SandboxResponseOf<Id>>)
}

/** The id of an operation of the interface or of the sandbox API. */
export type AnyOperationId = OperationId | SandboxOperationId
