import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'

// Runs a receiver of the guide in a process of its own: `receiver-host.ts <module> <port>`. One that
// starts no server, but exports what answers a Request, gets one. The parent hears when it listens.

type Answer = (request: Request) => Promise<Response>

const [, , file = '', port = ''] = process.argv

subscribe('tracing:net.server.listen:asyncEnd', () => process.send?.('listening'))
// No other code may end it.
process.on('disconnect', () => process.exit())

const module: { POST?: Answer; default?: { fetch: Answer } } = await import(file)
const answer = module.POST ?? module.default?.fetch

if (answer) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const response = await answer(
      new Request(`http://127.0.0.1:${port}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: new Headers(incoming.headers as Record<string, string>),
        body: Buffer.concat(chunks),
      }),
    )
    outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()))
  })
  server.listen(Number(port), '127.0.0.1')
}
