import type { operations } from '#contract/closed.ts'
import type { OperationId } from '#contract/operations.ts'
import type { OperationId as PlatformOperationId } from '../../../generated/platform/operations.ts'
import type { OperationId as SandboxOperationId } from '../../../generated/sandbox/operations.ts'
import type { Operations, OperationId as UndatedId } from '../../../generated/undated.ts'
import type { Closed } from './closed.ts'
import type { Context } from './context.ts'

/** The id of an operation of any document. */
export type AnyOperationId = OperationId | UndatedId

type Described = operations & Operations
type Credential = 'client_id' | 'secret' | 'client_secret'

/** A checked request body, without credentials. */
export type BodyOf<Id extends AnyOperationId> = Omit<
  Described[Id]['requestBody']['content']['application/json'],
  Credential
>

/** The body of a success response. The pipeline adds its `request_id`. */
export type ResponseOf<Id extends AnyOperationId> = Closed<
  Omit<Described[Id]['responses'][200]['content']['application/json'], 'request_id'>
>

/** What implements an operation. */
export type HandlerOf<Id extends AnyOperationId> = Work<BodyOf<Id>, ResponseOf<Id>> &
  ((ctx: Context, request: { body: BodyOf<Id> }) => Promise<ResponseOf<Id>>)

/** What a handler says of its work, as a property of the function: `walletGet.reads = true`. */
export interface Work<Body = never, Answer = never> {
  /** It only reads, or writes in rare cases: it starts without a transaction. */
  reads?: boolean
  /** It asks the database for one statement at most, which PostgreSQL then gets with those of others. */
  single?: boolean | ((body: Body) => boolean)
  /** It only reads, mostly by one statement, and no body tells when; with a second one it runs again. */
  usuallySingle?: boolean
  /**
   * Whether an answer has nothing new: then the call waits for `wait_seconds` of its body, and the
   * handler is asked again. Such calls are made all the time, so those that succeed are not listed.
   */
  waits?(body: Body, answer: Answer): boolean
}

/** A handler for every operation: one that is missing, surplus or swapped does not compile. */
export type Handlers = { [Id in OperationId]: HandlerOf<Id> }
export type PlatformHandlers = { [Id in PlatformOperationId]: HandlerOf<Id> }
export type SandboxHandlers = { [Id in SandboxOperationId]: HandlerOf<Id> }
