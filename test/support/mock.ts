import { type Client, type ClientOptions, createClient } from '../../src/index.ts'
import { createMock } from '../../src/mock/answer.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { createApp } from '../../src/server/http/app.ts'
import { newRequestId } from '../../src/server/kernel/ids.ts'

/** A mock on a free port of this machine. */
export interface RunningMock {
  url: string
  /** A client of it, with the well-known credentials. */
  client(options?: Partial<ClientOptions>): Client
  /** A bare POST: what it answers, and with which status and headers. */
  post(path: string, init: RequestInit): Promise<{ response: Response; body: Body }>
  close(): Promise<void>
}

export type Body = Record<string, unknown>

export const credentials = {
  clientId: wellKnownClients[0].clientId,
  secret: wellKnownClients[0].secret,
}

export async function startMock(): Promise<RunningMock> {
  let url = ''
  const docs = new URL('../../openapi', import.meta.url).pathname
  const app = await createApp({
    ...createMock(),
    newRequestId,
    onFault: (error) => console.error(error),
    publicUrl: () => url,
    docs,
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    client: (options = {}) =>
      createClient({ baseUrl: url, ...credentials, retries: 0, ...options }),
    async post(path, init) {
      const response = await fetch(`${url}${path}`, { method: 'POST', ...init })
      return { response, body: (await response.json()) as Body }
    },
    close: () => app.close(),
  }
}

/** The headers of a JSON request with the well-known credentials. */
export const jsonHeaders = {
  'Content-Type': 'application/json',
  'SERVICE-CLIENT-ID': credentials.clientId,
  'SERVICE-SECRET': credentials.secret,
}
