import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { createTraces } from '../../src/server/observe/traces.ts'
import { type ObservedService, startObserved } from '../support/observed.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Tenant } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

/** Other tests use the machine too. */
const patience = { timeout: 10_000 }

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

/** What a collector has been sent, by the protocol of OpenTelemetry. */
const spans: Span[] = []
let collector: Server
const bodies: string[] = []

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
    }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

const variables = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
]

let observed: ObservedService
let tenant: Tenant

/** A service whose traces go to a port of this machine. */
async function start(port: number, environment: Record<string, string> = {}): Promise<void> {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_SERVICE_NAME: 'bank',
    ...environment,
  })
  observed = await startObserved('silent', [createTraces('1.2.3')])
  tenant = await observed.service.tenant()
}

afterEach(async () => {
  await observed.close()
  for (const variable of variables) delete process.env[variable]
  spans.length = 0
  bodies.length = 0
})

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(observed.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': tenant.clientId,
      'SERVICE-SECRET': tenant.secret,
      ...headers,
    },
    body: JSON.stringify(body),
  })

const named = (name: string) => spans.filter((span) => span.name === name)
const attribute = (span: Span | undefined, name: string): unknown => {
  const value = span?.attributes.find(({ key }) => key === name)?.value
  return Object.values(value ?? {})[0]
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

describe('with a collector', () => {
  test('a request is a span in the trace of its caller, with what it did in the database', async () => {
    await start(portOf(collector))
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    const response = await post('/wallet/create', { iso_currency_code: 'GBP' }, { traceparent })
    const { request_id } = (await response.json()) as { request_id: string }
    await expect.poll(() => named('walletCreate').length, patience).toBe(1)
    const [request] = named('walletCreate')
    expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
    expect(attribute(request, 'fds.request_id')).toBe(request_id)
    expect(attribute(request, 'fds.version')).toBe(currentVersion)
    expect(attribute(request, 'http.response.status_code')).toBe(200)
    const [transaction] = named('transaction')
    expect(transaction).toMatchObject({ traceId, parentSpanId: request?.spanId })
    expect(attribute(transaction, 'fds.tries')).toBe(1)
    expect(bodies.join('')).toContain('"bank"')
    expect(bodies.join('')).not.toContain(tenant.secret)
  })

  test('requests at once keep their own statements', async () => {
    await start(portOf(collector))
    await Promise.all(Array.from({ length: 10 }, () => post('/wallet/list', {})))
    await expect.poll(() => named('walletList').length, patience).toBe(10)
    const parents = [...named('read'), ...named('statement')].map((span) => span.parentSpanId)
    const requests = named('walletList').map(({ spanId }) => spanId)
    expect(new Set(parents)).toEqual(new Set(requests))
    const counts = requests.map((id) => parents.filter((parent) => parent === id).length)
    expect(new Set(counts).size).toBe(1)
  })

  test('a traceparent that is malformed begins a new trace', async () => {
    await start(portOf(collector))
    await post('/wallet/list', {}, { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` })
    await expect.poll(() => named('walletList').length, patience).toBe(1)
    expect(named('walletList')[0]?.parentSpanId ?? '').toBe('')
    expect(named('walletList')[0]?.traceId).not.toMatch(/^0+$/)
  })

  test('a delivery is a trace of its own, and its receiver gets no header of it', async () => {
    await start(portOf(collector))
    const receiver = await startReceiver()
    const webhook = `${receiver.url}?key=geheim`
    const { access_token } = await insertTestItem(observed.service, tenant, { webhook })
    await tenant.control('sandboxItemFireWebhook', {
      access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
    const [received] = await receiver.arrivals(1)
    await expect.poll(() => named('deliver ITEM.NEW_ACCOUNTS_AVAILABLE').length, patience).toBe(1)
    const [delivery] = named('deliver ITEM.NEW_ACCOUNTS_AVAILABLE')
    expect(delivery?.parentSpanId ?? '').toBe('')
    expect(attribute(delivery, 'server.address')).toBe(new URL(receiver.url).host)
    expect(attribute(delivery, 'fds.outcome')).toBe('delivered')
    expect(received?.headers).not.toHaveProperty('traceparent')
    expect(bodies.join('')).not.toContain('geheim')
    await receiver.close()
  })

  test('the sampler of the environment decides', async () => {
    await start(portOf(collector), { OTEL_TRACES_SAMPLER: 'always_off' })
    await post('/wallet/list', {})
    await observed.close()
    expect(spans).toEqual([])
  })
})

describe('without its collector', () => {
  test('the service answers, and ends in time', async () => {
    // Port 9 has no listener on current machines.
    await start(9)
    for (let count = 0; count < 20; count += 1) {
      expect((await post('/wallet/list', {})).status).toBe(200)
    }
    const begun = performance.now()
    await observed.close()
    expect(performance.now() - begun).toBeLessThan(10_000)
  })
})
