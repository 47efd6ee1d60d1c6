import type {
  ErrorCause,
  ApiError as ErrorFields,
  FaultyField,
  WebhookError,
} from '#contract/closed.ts'
import { errorCatalogue as errorsOfPages } from '../../../generated/dashboard/errors.ts'
import { errorCatalogue as errorsOfPrograms } from '../../../generated/errors.ts'

/** Those that programs see, and those that only pages see. */
const errorCatalogue = { ...errorsOfPrograms, ...errorsOfPages }
type ErrorKey = keyof typeof errorCatalogue

interface ApiErrorOptions {
  /** Says more precisely than the catalogue what is wrong; never with a value of the request. */
  message?: string
  /** Whole seconds after which the request can be sent again. */
  retryAfter?: number
  /** Further headers of the answer, which the operation describes. */
  headers?: Readonly<Record<string, string>>
  /** What failed for each Item, for requests that span several. */
  causes?: readonly ErrorCause[]
  /** The faulty fields. By default the one that the message begins with. */
  fields?: readonly FaultyField[]
  /** What to do, where the catalogue's advice does not help. */
  action?: string
  /** `error_code_reason`, for Items of OAuth institutions. */
  reason?: string
  /** Commits what the handler wrote before the error. Rare, and explained at each use. */
  commit?: boolean
  cause?: unknown
}

/** An error that the contract describes. Anything else that is thrown is a bug. */
export class ApiError extends Error {
  readonly key: ErrorKey
  /** The bare code, as the body has it. */
  readonly code: string
  readonly status: number
  readonly retryAfter: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly causes: readonly ErrorCause[]
  /** Emptied for versions whose error body does not have them. */
  fields: readonly FaultyField[]
  /** Called with the body as it is sent. Set where the request log stores it. */
  record: ((text: string) => void) | undefined
  readonly reason: string | undefined
  readonly action: string | undefined
  readonly commit: boolean

  constructor(key: ErrorKey, options: ApiErrorOptions = {}) {
    const { message = errorCatalogue[key].message, cause, causes = [], retryAfter } = options
    super(message, { cause })
    this.name = 'ApiError'
    this.key = key
    this.code = errorCatalogue[key].code
    this.status = errorCatalogue[key].status
    this.retryAfter = retryAfter
    this.headers = options.headers ?? {}
    this.causes = causes
    this.fields = options.fields ?? fieldsIn(message)
    this.reason = options.reason
    this.action = options.action
    this.commit = options.commit ?? false
  }
}

/** The field that a message begins with, and what the message says of it. */
function fieldsIn(message: string): FaultyField[] {
  const [, field, rest] = message.match(/^`([\w.[\]]+)` ((?:must|does not) .+)$/) ?? []
  return field === undefined || rest === undefined ? [] : [{ field, message: rest }]
}

/** The error for a field that a schema accepts and a rule does not. */
export const invalidField = (message: string): ApiError =>
  new ApiError('INVALID_FIELD', { message })

/** What an error body needs beside the error itself. */
export interface ErrorContext {
  requestId: string
  /** Where the docs are, without a slash at the end; undefined where there are none. */
  docsUrl: string | undefined
}

/** The body that the contract describes for the error: the error object, or RFC 6749's. */
export function toErrorBody(error: ApiError, context: ErrorContext): Record<string, unknown> {
  const entry = errorCatalogue[error.key]
  if (entry.type === 'OAUTH') {
    return {
      error: entry.code,
      error_description: error.message,
      ...pageOf('error_uri', context.docsUrl, entry.code),
      request_id: context.requestId,
    }
  }
  return {
    ...toErrorFields(error, context.docsUrl),
    ...(error.fields.length === 0 ? {} : { fields: error.fields }),
    request_id: context.requestId,
  }
}

/** The error object without its request: inside webhooks, which also say the HTTP status. */
export const toEmbeddedError = (error: ApiError, docsUrl: string | undefined): WebhookError => ({
  ...toErrorFields(error, docsUrl),
  status: error.status,
})

/** The page that explains a code, in the field that names it; no field where there are no docs. */
const pageOf = (name: string, docsUrl: string | undefined, code: string): object =>
  docsUrl === undefined ? {} : { [name]: `${docsUrl}/errors#${code}` }

/** The error object of an Item or a session, which no request caused. */
export function toErrorFields(error: ApiError, docsUrl: string | undefined): ErrorFields {
  const entry = errorCatalogue[error.key]
  const fields = {
    error_type: entry.type,
    error_code: entry.code,
    ...(error.reason === undefined ? {} : { error_code_reason: error.reason }),
    error_message: error.message,
    display_message: entry.displayMessage,
    ...pageOf('documentation_url', docsUrl, entry.code),
    suggested_action: error.action ?? entry.suggestedAction,
    ...(entry.type === 'ASSET_REPORT_ERROR' ? { causes: error.causes } : {}),
  }
  // The catalogue has the contract's types and reasons, without those of OAuth here.
  return fields as ErrorFields
}

/** What failed for one Item, for the `causes` of an error. */
export function toCause(
  key: ErrorKey,
  itemId: string,
  message: string = errorCatalogue[key].message,
): ErrorCause {
  const { type, code, displayMessage } = errorCatalogue[key]
  return {
    error_type: type as ErrorCause['error_type'],
    error_code: code,
    error_message: message,
    display_message: displayMessage,
    item_id: itemId,
  }
}
