import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Response {
  status?: number
  body: string
}

/** Serves responses to request bodies, and prints where. */
export function listen(
  respond: (body: string, request: IncomingMessage) => Response | Promise<Response>,
): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { status = 200, body } = await respond(Buffer.concat(chunks).toString(), request)
      const length = Buffer.byteLength(body)
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length })
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
