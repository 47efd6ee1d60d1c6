import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Context, type Document, OpenAPIBackend, type Request } from 'openapi-backend'
import { readBundle } from '../../contract/contract.ts'

// openapi-backend as a mock, as its documentation shows it: it validates requests, and answers the
// first example of the contract.

interface Result {
  status: number
  body: unknown
}

const api = new OpenAPIBackend({
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

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const asked: Request = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    }
    const { status, body } = (await api.handleRequest(asked)) as Result
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
