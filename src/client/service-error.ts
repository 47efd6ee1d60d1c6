import type { components, ErrorType, FaultyField } from '#contract/types.ts'
import type { KnownErrorCode } from '../../generated/errors.ts'

/**
 * A code or a type that this release does not know, since a newer service may have more of them. It
 * is a string that equals none of the known ones, so that a misspelt comparison does not compile.
 */
export declare enum Unlisted {
  code = 'what the contract does not list',
}

/** Not every contract has errors with causes. */
type ErrorCause = components['schemas'] extends { ErrorCause: infer Cause } ? Cause : never

interface ErrorParts {
  operationId: string
  status: number
  body: Readonly<Record<string, unknown>>
  retry_after?: number | undefined
}

const shown = [
  'operationId',
  'status',
  'error_type',
  'error_code',
  'error_code_reason',
  'error_message',
  'display_message',
  'suggested_action',
  'documentation_url',
  'causes',
  'fields',
  'request_id',
  'retry_after',
]

/**
 * The service refused a call. Whatever prints it shows the fields below and nothing of the request:
 * no secret, no token, no header and no body.
 *
 * The two token operations answer `error`, `error_description` and `error_uri`, as RFC 6749 has it.
 * They stand here as `error_code`, `error_message` and `documentation_url`, with the type `OAUTH`.
 */
export class ServiceError<Code extends string = string> extends Error {
  /** A type only: without it, `instanceof` would give `any` for the codes of a caught error. */
  declare static readonly [Symbol.hasInstance]: (
    value: unknown,
  ) => value is ServiceError<KnownErrorCode>
  override readonly name = 'ServiceError'
  /** The operation that was called. */
  declare readonly operationId: string
  /** The HTTP status of the answer. */
  declare readonly status: number
  /** The broad family of the error. */
  declare readonly error_type: ErrorType | 'OAUTH' | Unlisted
  /** The precise reason, safe to branch on; have a branch for codes that are new. */
  declare readonly error_code: Code | Unlisted
  /** Why an OAuth institution stopped answering, where that is the reason. */
  declare readonly error_code_reason?: string | null
  /** The reason in words for developers; not to be matched on. */
  declare readonly error_message: string
  /** The reason in words for your user, or null when nothing that the user does can help. */
  declare readonly display_message: string | null
  /** What you can do about it, or null when waiting is all there is. */
  declare readonly suggested_action?: string | null
  /** The page of the docs that explains the code. */
  declare readonly documentation_url?: string
  /** What failed for each Item, where a request spans several. */
  declare readonly causes?: ErrorCause[]
  /** The faulty fields of the request, where it has some. */
  declare readonly fields?: FaultyField[]
  /** Names the request in the service's log; give it when you ask for help. */
  declare readonly request_id: string
  /** Seconds to wait before the next request, where the service says so. */
  declare readonly retry_after?: number

  constructor({ operationId, status, body, retry_after }: ErrorParts) {
    const fields = 'error_code' in body ? body : fromOAuth(body)
    const { error_code, error_message, request_id } = fields
    super(`${error_code}: ${error_message} (${operationId}, HTTP ${status}, ${request_id})`)
    const known: ErrorParts['body'] = { ...fields, operationId, status, retry_after }
    for (const name of shown) {
      if (known[name] !== undefined) Object.assign(this, { [name]: known[name] })
    }
  }
}

function fromOAuth(body: ErrorParts['body']): ErrorParts['body'] {
  return {
    ...body,
    error_type: 'OAUTH',
    error_code: body['error'],
    error_message: body['error_description'],
    display_message: null,
    documentation_url: body['error_uri'],
  }
}
