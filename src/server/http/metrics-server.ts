import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { noSniffing } from './security-headers.ts'

export interface MetricsServer {
  address: string
  close(): Promise<void>
}

interface Page {
  contentType: string
  read(): Promise<string>
}

/**
 * Serves the metrics on a port of their own, since clients of the service must not see how much
 * others call it.
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  page: Page,
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    response.setHeader(...noSniffing)
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await page.read()
      response.writeHead(200, { 'Content-Type': page.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  await listen(server, host, port)
  // A scrape must not keep the process from ending.
  server.unref()
  const { address, port: bound } = server.address() as AddressInfo
  return {
    address: `http://${address.includes(':') ? `[${address}]` : address}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
