import { type Context, type Document, OpenAPIBackend, type Request } from 'openapi-backend'
import { readBundle } from '../../contract/contract.ts'
import { listen } from './listen.ts'

// openapi-backend as a mock, as its documentation shows it: it validates requests, and responds with
// the first example of the contract.

interface Result {
  status: number
  body: unknown
}

const api = new OpenAPIBackend({
  // The same document in types of another library.
  definition: readBundle() as unknown as Document,
  quick: true,
  ajvOpts: { strict: false },
  customizeAjv: (ajv) => ajv,
  handlers: {
    notImplemented({ api: mock, operation }: Context): Result {
      const { status, mock: body } = mock.mockResponseForOperation(operation.operationId ?? '')
      return { status, body }
    },
    validationFail: ({ validation }: Context): Result => ({ status: 400, body: validation.errors }),
    notFound: (): Result => ({ status: 404, body: {} }),
  },
})
await api.init()

listen(async (text, { method = '', url: path = '', headers }) => {
  const request = { method, path, headers: headers as Request['headers'], body: JSON.parse(text) }
  const { status, body } = (await api.handleRequest(request)) as Result
  return { status, body: JSON.stringify(body) }
})
