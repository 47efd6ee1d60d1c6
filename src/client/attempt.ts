import type { Result } from './call.ts'
import type { Deadline } from './deadline.ts'
import { AnswerError, ConnectionError } from './failures.ts'
import { type Hooks, tell } from './hooks.ts'
import { readRetryAfter } from './retries.ts'
import { ServiceError } from './service-error.ts'

/** One request, to be sent once or more often. */
export interface Sending {
  operationId: string
  baseUrl: string
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
  const event = { operationId, attempt }
  deadline.signal.throwIfAborted()
  tell(hooks.onRequest, event)
  const start = performance.now()
  let outcome: Outcome = {}
  try {
    outcome = await exchange(sending)
  } finally {
    const { status, result } = outcome
    tell(hooks.onResponse, {
      ...event,
      status,
      request_id: result?.error?.request_id ?? (result?.data as Body | undefined)?.request_id,
      error_code: result?.error?.error_code,
      duration: performance.now() - start,
    })
  }
  return outcome
}

async function exchange({ operationId, baseUrl, fetch, deadline }: Sending): Promise<Outcome> {
  try {
    const response = await deadline.within(fetch())
    return read(operationId, response, await deadline.within(response.text()))
  } catch (cause) {
    deadline.signal.throwIfAborted()
    return { failure: new ConnectionError(operationId, baseUrl, cause) }
  }
}

function read(operationId: string, response: Response, text: string): Outcome {
  const { status } = response
  const body = parse(text)
  if (body && response.ok) return { status, result: { data: body, response } }
  const retry_after = readRetryAfter(response.headers.get('Retry-After'))
  const parts = { operationId, status, retry_after }
  // A gateway may well answer JSON too, even with an `error`, but not with a code of the service.
  const code = body?.['error_code'] ?? (body?.request_id && body['error'])
  if (!body || typeof code !== 'string') return { ...parts, failure: new AnswerError(parts) }
  return { ...parts, result: { error: new ServiceError({ ...parts, body }), response } }
}

type Body = Record<string, unknown> & { request_id?: string }

function parse(text: string): Body | null | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object') return value as Body | null
  } catch {}
  return undefined
}
