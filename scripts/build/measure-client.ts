import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '../../src/index.ts'
import { isMain, readBundle } from '../contract/contract.ts'

// What a call through the client costs beside the same call with plain fetch, against a server that
// only answers. Calls take turns, so that whatever slows the machine slows both.

const calls = 5000

const answer = JSON.stringify(example())
const body = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

function example(): unknown {
  const { post } = readBundle().paths['/accounts/get']!
  const { examples } = post.responses['200']!.content!['application/json']!
  const { $ref, value } = Object.values(examples ?? {})[0]!
  return value ?? readBundle().components.examples[$ref!.split('/').pop()!]!.value
}

async function withServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Microseconds of one call. */
async function time(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await call()
  return (performance.now() - start) * 1000
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

async function measure(url: string) {
  const credentials = { 'SERVICE-CLIENT-ID': 'sandbox-client', 'SERVICE-SECRET': 'sandbox-secret' }
  const headers = { 'Content-Type': 'application/json', ...credentials }
  const client = createClient({
    baseUrl: url,
    clientId: 'sandbox-client',
    secret: 'sandbox-secret',
  })
  const plain = async () => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/accounts/get`, init)
    return response.json()
  }
  const ways = [plain, () => client.accountsGet(body).orThrow()] as const
  const times: [number[], number[]] = [[], []]
  for (let count = 0; count < calls; count += 1) {
    // Who goes first changes too: the second of two finds the connection warm.
    for (const way of count % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      times[way].push(await time(ways[way]))
    }
  }
  // What the compiler of the engine has not seen often is slow, and is left out.
  const [plainly, byClient] = times.map((all) => median(all.slice(calls / 5)))
  return { plain: plainly ?? 0, client: byClient ?? 0 }
}

if (isMain(import.meta.filename)) {
  const { plain, client } = await withServer(measure)
  console.log(`medians of ${calls} calls, an answer of ${answer.length} bytes`)
  console.log(`plain fetch  ${plain.toFixed(0)} µs a call`)
  console.log(`client       ${client.toFixed(0)} µs a call, ${(client / plain).toFixed(2)} ×`)
}
