import { HttpResponse, http, type RequestHandler } from 'msw'
import { type Answers, answers, errors, headers } from '#contract/examples.ts'
import type { ErrorCode, OperationId, RequestBody, ResponseBody } from '../client/call.ts'
import { chooseExample } from '../mock/choose-example.ts'

/** Where the requests go that are to be answered. */
export interface MockOptions {
  /** The `baseUrl` of the client whose calls are answered. */
  baseUrl: string
}

/** How a handler answers. */
export interface HandlerOptions {
  /** Answers one request, and leaves the next one to the handlers behind it. */
  once?: boolean
}

/** How an answer is made. */
export interface AnswerOptions extends HandlerOptions {
  /** The name of the example that is answered, as in the docs; the one that fits the request unless set. */
  example?: string
}

/** Fields that take the place of the example's, or what makes them of a request's body. */
export type Override<Id extends OperationId> =
  | Partial<ResponseBody<Id>>
  | ((body: RequestBody<Id>) => Partial<ResponseBody<Id>>)

/** Makes handlers for one operation. */
export interface MockedOperation<Id extends OperationId> {
  /** Answers the contract's example, with other fields where you give them. */
  answer(override?: Override<Id>, options?: AnswerOptions): RequestHandler
  /** Answers an error that the operation lists, with its status and headers. */
  error(code: ErrorCode<Id>, options?: HandlerOptions): RequestHandler
}

/** Handlers for every operation. */
export type Mock = { readonly [Id in OperationId]: MockedOperation<Id> } & {
  /** A handler for each operation, which answers the example that fits the request. */
  readonly handlers: RequestHandler[]
}

/**
 * Makes request handlers for msw, from the examples of the contract: for tests of what calls the
 * service, where no service is needed. Each answer has a `request_id` of its own. Requests are not
 * checked: a client does that with `validate`.
 *
 * @example
 * ```ts
 * import { setupServer } from 'msw/node'
 * import { createMock } from 'financial-data-service/testing/msw'
 *
 * const mock = createMock({ baseUrl: 'http://127.0.0.1:4000' })
 * const server = setupServer(...mock.handlers)
 * server.listen()
 * server.use(mock.accountsGet.error('INVALID_ACCESS_TOKEN', { once: true }))
 * server.use(mock.walletList.answer({ wallets: [] }))
 * server.close()
 * ```
 */
export function createMock({ baseUrl }: MockOptions): Mock {
  const base = baseUrl.replace(/\/$/, '')
  const operations = Object.entries(answers).map(([id, one]) => [id, mockOperation(base, id, one)])
  const all = operations.map(([, one]) => (one as MockedOperation<OperationId>).answer())
  // Which answer belongs to which operation is what `Mock` says; here all of them are alike.
  return { ...Object.fromEntries(operations), handlers: all } as Mock
}

function mockOperation(
  base: string,
  id: string,
  { path, answers: examples, errors: keys }: Answers,
): MockedOperation<OperationId> {
  const handle = (respond: (request: Request) => Promise<Response>, { once = false } = {}) =>
    http.post(base + path, ({ request }) => respond(request), { once })
  return {
    answer(override = {}, { example, ...options } = {}) {
      if (example !== undefined && !examples[example]) {
        throw new TypeError(`${id} has no example ${example}: ${list(examples)}`)
      }
      return handle(async (request) => {
        const body = await readBody(request)
        const found = examples[example ?? chooseExample(id, body, examples)] ?? {}
        const own = typeof override === 'function' ? override(body) : override
        return toResponse(200, found, own)
      }, options)
    },
    error(code, options) {
      const key = keys.find((one) => codeOf(one) === code)
      const error = key === undefined ? undefined : errors[key]
      if (!error) throw new TypeError(`${id} does not answer ${code}`)
      return handle(async () => toResponse(error.status, error.body), options)
    },
  }
}

const list = (examples: Answers['answers']): string => Object.keys(examples).join(', ')

/** The code of a key: some stand between a type and a status. */
function codeOf(key: string): unknown {
  const body: { error_code?: unknown; error?: unknown } | undefined = errors[key]?.body
  return body?.error_code ?? body?.error
}

/** JSON, or the form of the token operations. */
async function readBody(request: Request): Promise<RequestBody<OperationId>> {
  const text = (await request.text()) || '{}'
  const isForm = request.headers.get('content-type')?.includes('form') ?? false
  // What the handler's author expects is the body of this operation.
  return (isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)) as never
}

function toResponse(status: number, example: object, own: { request_id?: string } = {}): Response {
  const body = { ...example, request_id: newRequestId(), ...own }
  return HttpResponse.json(body, {
    status,
    headers: { 'Request-Id': body.request_id, ...headers[status] },
  })
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(15)), (byte) => letters[byte % 62]).join('')
