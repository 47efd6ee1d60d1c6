import { createClient } from '../../../src/index.ts'
import { wellKnownClients } from '../../../src/server/clients/well-known-clients.ts'
import { verifyWebhook } from '../../../src/webhooks/index.ts'
import { listen } from './listen.ts'

// An application that verifies every webhook: `receiver.ts <service>`. A GET returns their counts.

const [{ clientId, secret }] = wellKnownClients
const client = createClient({ baseUrl: process.argv[2] ?? '', clientId, secret })
const counts = { verified: 0, rejected: 0 }

listen(async (body, { method, headers }) => {
  if (method === 'GET') return { body: JSON.stringify(counts) }
  try {
    await verifyWebhook(Buffer.from(body), headers, { client })
    counts.verified += 1
    return { body: '' }
  } catch (error) {
    counts.rejected += 1
    return { status: 400, body: String(error) }
  }
})
