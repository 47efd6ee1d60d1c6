import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '../../src/index.ts'
import { median } from '../bench/statistics.ts'
import { takeArguments } from '../command.ts'
import { eachExample, readBundle } from '../contract/contract.ts'

// What a call through the client costs beside the same call with plain fetch, against a server that
// only answers. Calls take turns, so that whatever slows the machine slows both.

takeArguments(`usage: npm run measure:client
Measures what a call through the client costs beside the same call with plain fetch.`)

const calls = 5000

const example = eachExample(readBundle()).find(({ place }) => place === 'accountsGet 200')
const answer = JSON.stringify(example?.value)
const body = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }
const [clientId, secret] = ['sandbox-client', 'sandbox-secret']

/** Microseconds of one call. */
async function time(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await call()
  return (performance.now() - start) * 1000
}

/** The medians of plain fetch and of the client. */
async function measure(baseUrl: string): Promise<number[]> {
  const client = createClient({ baseUrl, clientId, secret })
  const headers = {
    'Content-Type': 'application/json',
    'SERVICE-CLIENT-ID': clientId,
    'SERVICE-SECRET': secret,
  }
  const plain = async () => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${baseUrl}/accounts/get`, init)
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
  return times.map((all) => median(all.slice(calls / 5)))
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
  })
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo
const [plain = 0, client = 0] = await measure(`http://127.0.0.1:${port}`)
console.log(`medians of ${calls} calls, an answer of ${answer.length} bytes`)
console.log(`plain fetch  ${plain.toFixed(0)} µs a call`)
console.log(`client       ${client.toFixed(0)} µs a call, ${(client / plain).toFixed(2)} ×`)
server.closeAllConnections()
server.close()
