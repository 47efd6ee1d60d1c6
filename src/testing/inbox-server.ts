import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// Not those of the global object, which test runners replace.
import { clearTimeout, setTimeout } from 'node:timers'

/** A request as it arrived. */
export interface Arrived {
  body: Buffer
  headers: IncomingHttpHeaders
}

interface Answer {
  status: number
  delayMs?: number
  hang?: boolean
}

interface InboxServer {
  url: string
  close(): Promise<void>
}

/** Listens on a free port and answers what comes as `receive` says. */
export async function listen(receive: (arrived: Arrived) => Promise<Answer>): Promise<InboxServer> {
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray())
      const answer = await receive({ body, headers: request.headers })
      if (!answer.hang) send(response, answer, timers)
    } catch {
      // The sender has closed the connection, or this process is about to end.
      response.destroy()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(
  response: ServerResponse,
  { status, delayMs = 0 }: Answer,
  timers: Set<NodeJS.Timeout>,
): void {
  if (delayMs === 0) {
    response.writeHead(status).end()
    return
  }
  const timer = setTimeout(() => {
    timers.delete(timer)
    response.writeHead(status).end()
  }, delayMs)
  timers.add(timer)
}
