/** Why an operation gave no answer, in the words of the service. */
export class Problem extends Error {
  override name = 'Problem'
  /** The `error_code`; `UNREACHABLE` where the service did not answer. */
  readonly code: string
  readonly status: number
  readonly action: string | null
  readonly requestId: string | null
  /** Where the docs explain it. */
  readonly docs: string | null

  constructor(
    message: string,
    rest: {
      code: string
      status: number
      action?: string | null
      requestId?: string | null
      docs?: string | null
    },
  ) {
    super(message)
    this.code = rest.code
    this.status = rest.status
    this.action = rest.action ?? null
    this.requestId = rest.requestId ?? null
    this.docs = rest.docs ?? null
  }
}

/** What of the body of an error the pages show. */
interface ErrorBody {
  error_code?: string
  error_message?: string
  suggested_action?: string | null
  request_id?: string
  documentation_url?: string
}

export function problemOf(body: unknown, status: number): Problem {
  const error = (body ?? {}) as ErrorBody
  const { error_code, error_message, suggested_action, request_id, documentation_url } = error
  return new Problem(error_message ?? `The service answered with the status ${status}.`, {
    code: error_code ?? 'UNEXPECTED_ANSWER',
    status,
    action: suggested_action ?? null,
    requestId: request_id ?? null,
    docs: documentation_url ?? null,
  })
}

export const unreachable = (): Problem =>
  new Problem('The service did not answer. Check that it runs, then try again.', {
    code: 'UNREACHABLE',
    status: 0,
  })
