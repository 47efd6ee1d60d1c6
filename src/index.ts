export type * from '#contract/types.ts'
export type { CurrentVersion, Version } from '../generated/client.ts'
export type * from '../generated/platform/own-types.ts'
export type {
  Call,
  CallOptions,
  ErrorCode,
  Methods,
  OperationId,
  RequestBody,
  ResponseBody,
  Result,
} from './client/call.ts'
export { type Client, type ClientBase, type ClientOptions, createClient } from './client/client.ts'
export { AnswerError, ConnectionError, TimeoutError } from './client/failures.ts'
export type { AnswerEvent, AttemptEvent, Hooks, RetryEvent } from './client/hooks.ts'
export {
  type Item as PaginatedItem,
  type Paginated,
  type PaginatedOperationId,
  paginate,
} from './client/paginate.ts'
export { ServiceError, type Unlisted } from './client/service-error.ts'
export { syncTransactions, type TransactionsUpdate } from './client/sync-transactions.ts'
export type { Issue } from './validators/issues.ts'
export type { Validator } from './validators/validate.ts'
