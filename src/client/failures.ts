/** No answer came: the network failed, or the connection broke on the way. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'CONNECTION_FAILED'
  declare readonly operationId: string

  /** The cause is what `fetch` rejected with; no base URL has credentials. */
  constructor(operationId: string, baseUrl: string, cause: unknown) {
    super(`${operationId} got no answer from ${baseUrl}${reasonOf(cause)}`, { cause })
    Object.assign(this, { operationId })
  }
}

/** No answer came in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
  readonly code = 'TIMEOUT'
  declare readonly operationId: string
  /** How many milliseconds the call was given. */
  declare readonly timeout: number

  constructor(operationId: string, timeout: number) {
    super(`${operationId} got no answer within ${timeout} ms`)
    Object.assign(this, { operationId, timeout })
  }
}

/** Something answered, but not the service: a gateway's page, a redirect, or nothing at all. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code = 'UNREADABLE_ANSWER'
  declare readonly operationId: string
  /** The HTTP status of what answered. */
  declare readonly status: number
  /** Seconds to wait before the next request, where what answered says so. */
  declare readonly retry_after: number | undefined

  constructor(parts: Pick<AnswerError, 'operationId' | 'status' | 'retry_after'>) {
    super(`what answered ${parts.operationId}, HTTP ${parts.status}, is not the service`)
    Object.assign(this, parts)
  }
}

/** A code such as ECONNREFUSED, which Node gives to the cause of what `fetch` throws. */
function reasonOf(cause: unknown): string {
  const codes = [cause, (cause as Error | undefined)?.cause].map(
    (error) => (error as { code?: unknown } | undefined)?.code,
  )
  const code = codes.find((found) => /^[A-Z_]+$/.test(String(found)))
  return code ? `: ${code}` : ''
}
