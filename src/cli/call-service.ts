import { paths as datedPaths, headerNames } from '#contract/operations.ts'
import { paths as undatedPaths } from '../../generated/undated.ts'
import type { Caller } from './caller.ts'

const paths = { ...datedPaths, ...undatedPaths }

/** The id of an operation of any document. */
export type CalledId = keyof typeof paths

/** What a service answered. */
export interface Answered {
  status: number
  body: Record<string, unknown>
  /** For how many seconds a limit asks callers to wait. */
  retryAfter: number | undefined
}

/** The service could not be asked, or what answered is no such service. */
export class NoAnswer extends Error {}

const defaultTimeoutMs = 30_000

/**
 * Calls an operation once.
 * @throws NoAnswer if no answer of a service arrives; an abort rejects with its reason
 */
export async function callService(
  { base, clientId, secret }: Caller,
  operationId: CalledId,
  body: object,
  { signal, timeoutMs = defaultTimeoutMs }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<Answered> {
  const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
  try {
    const response = await fetch(base + paths[operationId], {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        [headerNames.clientId]: clientId,
        [headerNames.secret]: secret,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any(limits),
    })
    const { status, headers } = response
    const wait = Number(headers.get('Retry-After') ?? Number.NaN)
    const answer = parse(await response.text())
    if (!answer || (status !== 200 && typeof answer['error_code'] !== 'string')) {
      throw new NoAnswer(`${base} answered ${status}, and not as the service does`)
    }
    return { status, body: answer, retryAfter: Number.isFinite(wait) ? wait : undefined }
  } catch (error) {
    if (error instanceof NoAnswer) throw error
    if (signal?.aborted) throw signal.reason
    throw new NoAnswer(`${base}: no answer: ${causeOf(error as Error, timeoutMs)}`)
  }
}

/** Never what was sent: the message of an error may quote it. */
function causeOf(error: Error, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `none within ${timeoutMs / 1000} seconds`
  const { code, message } = (error.cause ?? {}) as NodeJS.ErrnoException
  return code ?? message ?? 'the request could not be sent'
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The service rejected a call. */
export class Rejected extends Error {
  readonly code: string

  constructor({ body, status }: Answered) {
    const { error_code, error_message, request_id } = body
    super(`${error_message ?? status} (${error_code}, request ${request_id})`)
    this.code = String(error_code)
  }
}

/** The body of a success. @throws Rejected, NoAnswer */
export async function ask(
  caller: Caller,
  operationId: CalledId,
  body: object,
): Promise<Record<string, unknown>> {
  const answered = await callService(caller, operationId, body)
  if (answered.status !== 200) throw new Rejected(answered)
  return answered.body
}
