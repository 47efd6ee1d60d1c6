import { headerNames } from '#contract/client-table.ts'
import type { Version } from '../../generated/client.ts'
import { attemptOnce, type Sending } from './attempt.ts'
import type { Call, CallOptions, OperationId, Result } from './call.ts'
import { startDeadline } from './deadline.ts'
import { toHeaders } from './headers.ts'
import { type Hooks, tell } from './hooks.ts'
import { isPassing, nextDelay } from './retries.ts'

/** The operation and the version whose contract a body is held against. */
export interface Subject {
  operationId: OperationId
  version: Version
}

/** Refuses bodies that do not fit, by rejecting; made by `contractChecks`. */
export interface BodyChecks {
  request?(subject: Subject, body: unknown): Promise<void>
  answer?(subject: Subject, body: unknown): Promise<void>
}

/** What all calls of a client have in common. */
export interface Settings {
  baseUrl: string
  credentials: Record<string, string | undefined>
  version: Version
  timeout: number
  retries: number
  hooks: Hooks
  validate: BodyChecks
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** An operation as a call needs it. */
export interface Operation {
  operationId: OperationId
  path: string
  /** Whether it may be repeated without a key when it is not known whether it ran. */
  safe: boolean
  form: boolean
}

/** Starts a call. */
export function startCall(
  settings: Settings,
  operation: Operation,
  body: object,
  options: CallOptions<Version> = {},
): Call<object> {
  const result = send(settings, operation, body, options)
  const orThrow = async () => {
    const { data, error } = await result
    if (error) throw error
    return data
  }
  return Object.assign(result, { orThrow })
}

async function send(
  settings: Settings,
  { operationId, path, safe, form }: Operation,
  body: object,
  options: CallOptions<Version>,
): Promise<Result<object>> {
  const { validate, hooks, baseUrl, credentials } = settings
  const { version = settings.version, headers = {}, signal } = options
  const { timeout = settings.timeout, retries = settings.retries } = options
  const { idempotencyKey = safe || retries === 0 ? undefined : newKey() } = options
  // Before anything is awaited: the caller may go on to use the same object for another call.
  const json = JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const init = {
    method: 'POST',
    // Elsewhere the credentials would go along, and a 302 would turn the POST into a GET.
    redirect: 'manual' as const,
    headers: toHeaders(
      {
        'Content-Type': type,
        [headerNames.version]: version,
        [headerNames.idempotencyKey]: idempotencyKey,
      },
      credentials,
      headers,
    ),
    // A form has what JSON would have: nothing that is undefined.
    body: form ? new URLSearchParams(JSON.parse(json)) : json,
  }
  const subject = { operationId, version }
  await validate.request?.(subject, body)
  const deadline = startDeadline(operationId, timeout, signal)
  const fetch = () => settings.fetch(baseUrl + path, { ...init, signal: deadline.signal })
  try {
    const sending = { operationId, baseUrl, fetch, deadline, hooks }
    const result = await attempt(sending, retries)
    if (result.data) await validate.answer?.(subject, result.data)
    return result
  } finally {
    deadline.clear()
  }
}

/** Unique for a call. `randomUUID` is missing in pages without https. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Attempts it until it comes to something that lasts, or no retry is left. */
async function attempt(sending: Sending, retries: number): Promise<Result<object>> {
  const { operationId, deadline, hooks } = sending
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(attempt, sending)
    const { status, retry_after = 0, result, failure } = outcome
    const delay =
      attempt <= retries && isPassing(outcome)
        ? nextDelay(attempt, retry_after, deadline.left())
        : undefined
    if (delay === undefined) {
      if (result) return result
      throw failure
    }
    tell(hooks.onRetry, { operationId, attempt, status, delay })
    await deadline.sleep(delay)
  }
}
