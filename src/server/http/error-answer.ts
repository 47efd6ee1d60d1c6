import { DatabaseBusy, DatabaseUnavailable, UnknownOutcome } from '../kernel/database.ts'
import { ApiError, type ErrorContext, toErrorBody } from '../kernel/errors.ts'
import { inBytes } from '../pipeline/body-limits.ts'
import { tryAgain } from '../pipeline/overloaded-error.ts'
import { maximumBody } from '../pipeline/parse-body.ts'
import type { WireAnswer } from '../pipeline/pipeline.ts'

/** The response for an error, with the headers that belong to it. */
export function toErrorAnswer(error: ApiError, context: ErrorContext): WireAnswer {
  const headers: Record<string, string> = { ...error.headers }
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  if (error.status === 401) headers['WWW-Authenticate'] = challenge(error)
  if (error.key.startsWith('oauth.')) headers['Cache-Control'] = 'no-store'
  return { status: error.status, headers, body: toErrorBody(error, context), record: error.record }
}

const challenge = (error: ApiError): string =>
  error.key === 'oauth.invalid_client'
    ? 'Basic realm="oauth", charset="UTF-8"'
    : 'Bearer error="invalid_token"'

/** An error of the database. A busy one is usually available again sooner. */
const unavailable = (cause: DatabaseUnavailable): ApiError =>
  new ApiError('PLANNED_MAINTENANCE', {
    ...(cause instanceof DatabaseBusy
      ? {
          message: `calls that were sent before take too long at the moment; ${tryAgain}`,
          retryAfter: 1,
        }
      : {
          message: `the service cannot use its database at the moment; ${tryAgain}`,
          retryAfter: 5,
        }),
    cause,
  })

const unknownOutcome = (cause: UnknownOutcome): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    message: 'the service failed as it kept a change; look whether it did before you repeat it',
    cause,
  })

/** The error of the contract for anything that was thrown. */
export function toApiError(error: unknown, isOAuth: boolean, bodyLimit = maximumBody): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return unavailable(error)
  if (error instanceof UnknownOutcome) return unknownOutcome(error)
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const message = `the body must be at most ${inBytes(bodyLimit)}`
    return new ApiError('INVALID_REQUEST.INVALID_BODY.413', { message })
  }
  // NOTE: Fastify rejects a malformed Content-Type or Content-Length before any handler runs.
  if (code?.startsWith('FST_ERR_CTP_')) {
    const key = isOAuth ? 'oauth.invalid_request' : 'INVALID_REQUEST.INVALID_BODY.400'
    return new ApiError(key, {
      message: 'the header `Content-Type` or `Content-Length` is malformed',
    })
  }
  // Paths that lead out of the docs, or to no file that could be there.
  if (statusCode < 500) return new ApiError('NOT_FOUND')
  return new ApiError('INTERNAL_SERVER_ERROR', { cause: error })
}
