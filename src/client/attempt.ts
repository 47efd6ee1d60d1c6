import type { Result } from './call.ts'
import type { Deadline } from './deadline.ts'
import { AnswerError, ConnectionError } from './failures.ts'
import { type Hooks, tell } from './hooks.ts'
import { readRetryAfter } from './retries.ts'
import { ServiceError } from './service-error.ts'

/** One request, to be sent once or more often. */
export interface Sending {
  operationId: string
  /** Sends it, up to the end of the call's time. */
  fetch(): Promise<Response>
  deadline: Deadline
  hooks: Hooks
}

/** What an attempt came to: what the call will come to, unless there is another one. */
export interface Outcome {
  status?: number
  retry_after?: number | undefined
  result?: Result<object>
  failure?: Error
}

/** Sends the request and reads its answer; rejects when the call's time is over. */
export async function attemptOnce(attempt: number, sending: Sending): Promise<Outcome> {
  const { operationId, deadline, hooks } = sending
  deadline.signal.throwIfAborted()
  tell(hooks.onRequest, { operationId, attempt })
  const start = performance.now()
  let outcome: Outcome = {}
  try {
    outcome = await exchange(sending)
  } finally {
    const { status, result } = outcome
    tell(hooks.onResponse, {
      operationId,
      attempt,
      status,
      request_id: requestIdOf(result),
      error_code: result?.error?.error_code,
      duration: performance.now() - start,
    })
  }
  return outcome
}

async function exchange({ operationId, fetch, deadline }: Sending): Promise<Outcome> {
  try {
    const response = await deadline.within(fetch())
    return read(operationId, response, await deadline.within(response.text()))
  } catch (cause) {
    deadline.signal.throwIfAborted()
    return { failure: new ConnectionError(operationId, cause) }
  }
}

function read(operationId: string, response: Response, text: string): Outcome {
  const { status } = response
  const body = parse(text)
  if (body && response.ok) return { status, result: { data: body, response } }
  const retry_after = readRetryAfter(response.headers.get('Retry-After'))
  const parts = { operationId, status, retry_after }
  if (!body || !isRefusal(body)) return { ...parts, failure: new AnswerError(parts) }
  return { ...parts, result: { error: new ServiceError({ ...parts, body }), response } }
}

type Body = Record<string, unknown>

function parse(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** A gateway may well answer JSON too, even with an `error`, but not with a code of the service. */
const isRefusal = ({ error_code, error, request_id }: Body): boolean =>
  typeof (error_code ?? (request_id && error)) === 'string'

function requestIdOf(result: Result<object> | undefined): string | undefined {
  return result?.error?.request_id ?? (result?.data as { request_id?: string })?.request_id
}
