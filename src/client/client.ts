import createFetchClient, { type Client as RawClient } from 'openapi-fetch'
import {
  formOperations,
  headerNames,
  type OperationId,
  paths as operationPaths,
} from '../../generated/2020-09-14/operations.ts'
import type { operations, paths } from '../../generated/2020-09-14/types.ts'
import type { Version } from '../../generated/versions.ts'
import { type Checks, checkAnswer, checkBody } from './checks.ts'

/** The body of an operation's request. */
export type RequestBody<Id extends OperationId> =
  operations[Id]['requestBody']['content']['application/json']

/** The body of an operation's success answer. */
export type ResponseBody<Id extends OperationId> =
  operations[Id]['responses'][200]['content']['application/json']

type Answers<Id extends OperationId> = operations[Id]['responses']

/** The body of every other answer of an operation. */
export type ErrorResponseBody<Id extends OperationId> = {
  [Status in Exclude<keyof Answers<Id>, 200>]: Answers<Id>[Status] extends {
    content: { 'application/json': infer Body }
  }
    ? Body
    : never
}[Exclude<keyof Answers<Id>, 200>]

/** What a call comes back with: `data` or `error`, never both, and the HTTP response. */
export type Result<Id extends OperationId> =
  | { data: ResponseBody<Id>; error?: never; response: Response }
  | { data?: never; error: ErrorResponseBody<Id>; response: Response }

/** Something answered, but not the service: a gateway's page, or nothing at all. */
export class AnswerError extends Error {
  readonly code = 'UNREADABLE_ANSWER'
  readonly response: Response

  constructor(response: Response) {
    super(`the answer, HTTP ${response.status}, holds no JSON object`)
    this.name = 'AnswerError'
    this.response = response
  }
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The dated version to ask for in this call. */
  version?: Version
  /** Further headers. */
  headers?: Record<string, string>
}

/** A method for each operation, named by its operationId. */
export type Methods = {
  [Id in OperationId]: (body: RequestBody<Id>, options?: CallOptions) => Promise<Result<Id>>
}

/** Calls the Financial Data Service. */
export type Client = Methods & {
  /** openapi-fetch's own client, for calls by path: `client.raw.POST('/accounts/get', …)`. */
  raw: RawClient<paths>
}

/** Settings of a client. */
export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:4000`. */
  baseUrl: string
  /** Your client id, sent in a header with every call. */
  clientId?: string
  /** Your secret, sent in a header with every call. Keep it on your server. */
  secret?: string
  /** The dated version to ask for; left out, the service's default for your client applies. */
  version?: Version
  /** Takes the place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
  /** Checks bodies against the contract; the validators are loaded at the first call. */
  validate?: Checks
}

/**
 * Makes a client. It resolves with `{ data }` or `{ error }`, and rejects only when there is no
 * answer of the service: the network failed, the call was aborted, something else answered, or a
 * check that was asked for found something.
 *
 * @throws {@link AnswerError} from a call, when what answers is not the service.
 * @throws {@link ContractError} from a call, when `validate` is set and a body does not fit.
 * @example
 * ```ts
 * import { createClient } from 'financial-data-service'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4010',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * const { data, error } = await client.accountsGet({
 *   access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001',
 * })
 * console.log(error ? error.error_code : data.accounts.length)
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, clientId, secret, version: byDefault, validate, fetch } = options
  const raw = createFetchClient<paths>({
    baseUrl,
    headers: headersOf({ clientId, secret }),
    ...(fetch ? { fetch } : {}),
  })
  const call = async (operationId: OperationId, body: object, options: CallOptions) => {
    const { signal, version = byDefault, headers } = options
    const subject = { operationId, version }
    const form = formOperations.includes(operationId) ? formEncoding : undefined
    if (validate?.requests) await checkBody(subject, body)
    // Which body belongs to which path is what `Methods` says; here all paths are alike.
    const answer = await raw.POST(operationPaths[operationId], {
      body: body as never,
      parseAs: 'text',
      headers: { ...headersOf({ version }), ...form?.headers, ...headers },
      ...(form ? { bodySerializer: form.bodySerializer } : {}),
      ...(signal ? { signal } : {}),
    })
    const { response } = answer
    if (!response.ok) return { error: readBody(answer.error, response), response }
    const data = readBody(answer.data, response)
    if (validate?.answers) await checkAnswer(subject, data)
    return { data, response }
  }
  const operationIds = Object.keys(operationPaths) as OperationId[]
  const methods = operationIds.map((operationId) => [
    operationId,
    (body: object, options: CallOptions = {}) => call(operationId, body, options),
  ])
  return { ...Object.fromEntries(methods), raw } as Client
}

/** The JSON object that an answer carries; a gateway's page or an empty body is none. */
function readBody(body: unknown, response: Response): object {
  let value = body
  try {
    if (typeof body === 'string') value = JSON.parse(body)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null) throw new AnswerError(response)
  return value
}

const formEncoding = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer(body: unknown) {
    const fields = Object.entries(body as Record<string, string | undefined>)
    return new URLSearchParams(
      fields.filter((field): field is [string, string] => field[1] !== undefined),
    )
  },
}

interface HeaderValues {
  clientId?: string | undefined
  secret?: string | undefined
  version?: Version | undefined
}

function headersOf({ clientId, secret, version }: HeaderValues): Record<string, string> {
  return {
    ...(clientId === undefined ? {} : { [headerNames.clientId]: clientId }),
    ...(secret === undefined ? {} : { [headerNames.secret]: secret }),
    ...(version === undefined ? {} : { [headerNames.version]: version }),
  }
}
