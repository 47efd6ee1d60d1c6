import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths as undatedPaths } from '../../../generated/undated.ts'
import { createClient } from '../../../src/index.ts'
import { wellKnownClients } from '../../../src/server/clients/well-known-clients.ts'
import type { Body, Tenant } from '../../support/service.ts'
import { end, launch } from '../../support/service-process.ts'
import { watch } from './watched-process.ts'

/** A service whose every output is kept: what it prints, answers as errors, measures and traces. */
export interface WatchedRun {
  /** A new tenant of it, through the sandbox API. */
  tenant(): Promise<Tenant>
  /** A request as it is, by anybody. */
  send(path: string, init: RequestInit): Promise<{ status: number; text: string }>
  metrics(): Promise<string>
  /** Everything that it printed so far. */
  printed(): string
  /** All answers that were no success. */
  refusals: string[]
  /** Everything that it sent to the collector of traces. */
  traced(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Collects whatever is sent. */
async function collect() {
  const chunks: Buffer[] = []
  const server = createServer((request, response) => {
    chunks.push(Buffer.from(JSON.stringify(request.headers)))
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, text: () => Buffer.concat(chunks).toString(), server }
}

/** Starts a service that tells as much as it can. */
export async function startRun(environment: Record<string, string>): Promise<WatchedRun> {
  const collector = await collect()
  const { child, errors } = launch({
    environment: {
      LOG_LEVEL: 'trace',
      METRICS_PORT: '0',
      REPORT_DELAY_MS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...environment,
    },
  })
  const watched = await watch(child)
  const refusals: string[] = []
  const send: WatchedRun['send'] = async (path, init) => {
    const response = await fetch(watched.url + path, { method: 'POST', ...init })
    const text = await response.text()
    if (response.status !== 200) refusals.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, text }
  }
  const stop = async () => {
    await end(child, 'SIGTERM')
    await new Promise((resolve) => collector.server.close(resolve))
  }
  return {
    tenant: () => newTenant(watched.url, send),
    send,
    metrics: async () => (watched.metricsUrl ? (await fetch(watched.metricsUrl)).text() : ''),
    printed: () => watched.output() + errors(),
    refusals,
    traced: collector.text,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop,
  }
}

async function newTenant(url: string, send: WatchedRun['send']): Promise<Tenant> {
  const [first] = wellKnownClients
  const made = await tenantAt(url, send, first.clientId, first.secret).post(
    undatedPaths.sandboxClientCreate,
    { enabled: ['transfer_migrate'] },
  )
  return tenantAt(url, send, String(made.body['client_id']), String(made.body['secret']))
}

function tenantAt(url: string, send: WatchedRun['send'], clientId: string, secret: string): Tenant {
  const post: Tenant['post'] = async (path, body, headers = {}) => {
    const { status, text } = await send(path, {
      headers: {
        'Content-Type': 'application/json',
        'SERVICE-CLIENT-ID': clientId,
        'SERVICE-SECRET': secret,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status, body: JSON.parse(text) as Body, headers: new Headers() }
  }
  return {
    clientId,
    secret,
    api: createClient({ baseUrl: url, clientId, secret, retries: 0 }),
    post,
    async control(id, body) {
      const { status, body: answer } = await post(undatedPaths[id], body)
      if (status !== 200) throw new Error(`${id}: ${JSON.stringify(answer)}`)
      return answer as never
    },
  }
}
