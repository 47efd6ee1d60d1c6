import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '../../src/index.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'

// An application that verifies every webhook: `receiver.ts <service>`. A GET tells how many there were.

const [{ clientId, secret }] = wellKnownClients
const client = createClient({ baseUrl: process.argv[2] ?? '', clientId, secret })
const counts = { verified: 0, refused: 0 }

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(counts))
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    try {
      await verifyWebhook(Buffer.concat(chunks), request.headers, { client })
      counts.verified += 1
      response.end()
    } catch (error) {
      counts.refused += 1
      response.writeHead(400).end(String(error))
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
