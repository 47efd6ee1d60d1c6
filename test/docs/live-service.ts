import type { Answer } from '../../src/docs/console/fresh-values.ts'
import { start } from '../../src/server/boot/start.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { readConfig } from '../../src/server/config/config.ts'

/** A service as `npm start` runs it, with the sandbox's credentials that the docs show. */
export interface LiveService {
  address: string
  call(path: string, body: string): Promise<Answer>
  close(): Promise<void>
}

export async function startLive(): Promise<LiveService> {
  const config = readConfig([], {
    MEMORY: '1',
    PORT: '0',
    REPORT_DELAY_MS: '0',
    LOG_LEVEL: 'error',
  })
  if (config === 'help') throw new Error('nobody asked for help')
  const service = await start(config)
  const [{ clientId, secret }] = wellKnownClients
  const headers = {
    'Content-Type': 'application/json',
    'SERVICE-CLIENT-ID': clientId,
    'SERVICE-SECRET': secret,
  }
  return {
    address: service.address,
    async call(path, body) {
      const response = await fetch(service.address + path, { method: 'POST', headers, body })
      return { ok: response.ok, status: response.status, body: await response.json() }
    },
    close: async () => {
      await service.close()
    },
  }
}
