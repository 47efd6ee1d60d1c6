import type { CurrentVersion, Version, VersionTypes } from '../../generated/client.ts'
import type { ServiceError } from './service-error.ts'

/** A method for each operation, named by its operationId. */
export type Methods = VersionTypes[CurrentVersion]['methods']

/** The name of an operation. */
export type OperationId = keyof Methods

/** The body of an operation's request. */
export type RequestBody<
  Id extends OperationId,
  V extends Version = CurrentVersion,
> = VersionTypes[V]['operations'][Id]['requestBody']['content']['application/json']

/** The body of an operation's success answer. */
export type ResponseBody<
  Id extends OperationId,
  V extends Version = CurrentVersion,
> = VersionTypes[V]['operations'][Id]['responses'][200]['content']['application/json']

/** The `error_code` of an operation: what the contract lists for it, or what this release does not know. */
export type ErrorCode<
  Id extends OperationId,
  V extends Version = CurrentVersion,
> = VersionTypes[V]['errorCodes'][Id]

/** What a call comes back with: `data` or `error`, never both, and the HTTP response, read to its end. */
export type Result<Data, Code extends string = string> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: ServiceError<Code>; response: Response }

/** A call under way: resolves with a {@link Result}. */
export interface Call<Data, Code extends string = string> extends Promise<Result<Data, Code>> {
  /**
   * Resolves with the data alone.
   *
   * @throws {@link ServiceError} when the service refuses.
   */
  orThrow(): Promise<Data>
}

/** Settings of one call; each goes before the client's own. */
export interface CallOptions<V extends Version = CurrentVersion> {
  /** Ends the call early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, with every retry and the waiting between; 0 for no limit. */
  timeout?: number | undefined
  /** How often a failure that passes is answered with another attempt; 0 for never. */
  retries?: number | undefined
  /**
   * The dated version to ask for in this call, where its bodies have the same types; where they
   * differ, call `client.at(version)`.
   */
  version?: V | undefined
  /**
   * The `Idempotency-Key` of the call. The client makes one for each call that needs one to be
   * repeated. Set it to repeat a call after a restart of your program: within 24 hours, the same
   * key and body return the first answer.
   */
  idempotencyKey?: string | undefined
  /** Further headers. */
  headers?: Record<string, string> | undefined
}
