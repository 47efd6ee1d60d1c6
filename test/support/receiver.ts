import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One webhook as it arrived, byte for byte. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Sends the answer of a receiver that hangs. */
  answer(status: number): void
}

/** What a receiver does: answers a status, says nothing, hangs up, or something of its own. */
export type Behaviour = number | 'hang' | 'hang up' | ((response: ServerResponse) => void)

/** An application that receives webhooks. */
export interface Receiver {
  url: string
  /** Everything that arrived, in its order. */
  received: Received[]
  behave(behaviour: Behaviour): void
  /** Waits until so many have arrived in all, and returns them. */
  arrivals(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** Starts a receiver on a free port; it answers 200 unless configured otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let behaviour: Behaviour = 200

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
      answer: (status) => void response.writeHead(status).end(),
    })
    for (const look of waiting) look()
    if (typeof behaviour === 'function') behaviour(response)
    else if (behaviour === 'hang up') response.destroy()
    else if (behaviour !== 'hang') response.writeHead(behaviour).end('thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    behave(next) {
      behaviour = next
    },
    arrivals: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received.slice(0, count))
        }
        waiting.add(look)
        look()
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
