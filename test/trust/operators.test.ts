import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { openLine } from '../support/broken-line.ts'
import { createDatabase } from '../support/engine.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import {
  metricsOf,
  quantile,
  sendMany,
  startWatched,
  type Timed,
  type WatchedProcess,
} from './support/watched-process.ts'

const timeout = atScale({ quick: 90_000, normal: 300_000, long: 600_000 })
const count = atScale({ quick: 300, normal: 3000, long: 20_000 })

const open: WatchedProcess[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop().catch(() => {})
})

async function started(environment: Record<string, string>): Promise<WatchedProcess> {
  const one = await startWatched({ MEMORY: '1', ...environment })
  open.push(one)
  return one
}

/** Calls of several operations, of which some are rejected. */
const calls: [operation: string, path: string, body: object][] = [
  ['walletList', '/wallet/list', {}],
  ['walletCreate', '/wallet/create', { iso_currency_code: 'GBP' }],
  ['walletGet', '/wallet/get', { wallet_id: 'wallet-id-sandbox-0' }],
  ['accountsGet', '/accounts/get', { access_token: 'access-sandbox-0', more: 1 }],
]

const mixed =
  ({ post }: WatchedProcess) =>
  async (index: number) => {
    const [operation, path, body] = calls[index % calls.length] as (typeof calls)[number]
    return { operation, ...(await post(path, body)) }
  }

const linesOf = ({ output }: WatchedProcess) =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('what is logged', () => {
  test('counts each request once, by operation and code, and logs it once', {
    timeout,
  }, async () => {
    const service = await started({ METRICS_PORT: '0', LOG_LEVEL: 'info' })
    const send = mixed(service)
    const sent = (await sendMany(count, send)) as (Timed & { operation: string })[]
    const metrics = await metricsOf(service)
    const groups = Map.groupBy(sent, ({ operation, status, errorCode }) => {
      const labels = `operation="${operation}",version="${currentVersion}",status="${status}"`
      return `fds_requests_total{${labels},error_code="${errorCode}"}`
    })
    for (const [series, group] of groups)
      expect([series, metrics.get(series)]).toEqual([series, group.length])
    const counted = [...groups.keys()].reduce((sum, series) => sum + (metrics.get(series) ?? 0), 0)
    expect(metrics.get('fds_requests_in_flight')).toBe(0)
    const { code, ms } = await service.stop()
    expect(code).toBe(0)
    const logged = linesOf(service).filter(({ msg }) => msg === 'request')
    const ids = new Set(logged.map(({ request_id }) => request_id))
    expect([logged.length, ids.size]).toEqual([count, count])
    report('metrics and log have each request exactly once, also after SIGTERM', {
      requests: count,
      series: groups.size,
      counted,
      lines: logged.length,
      stop_ms: ms,
    })
  })

  test('is written beside the work: an unread log blocks no request', {
    timeout,
  }, async () => {
    const service = await started({ LOG_LEVEL: 'info' })
    const send = mixed(service)
    await sendMany(200, send)
    const read = await sendMany(count, send)
    service.leaveUnread()
    // Far more than a pipe holds, which is 64 kB.
    const unread = await sendMany(Math.max(count, 1000), send)
    expect(unread.every(({ status }) => status < 500)).toBe(true)
    const figures = { read_p99_ms: quantile(read, 0.99), unread_p99_ms: quantile(unread, 0.99) }
    expect(figures.unread_p99_ms).toBeLessThan(5000)
    report('a log that nobody reads holds up no request', { requests: unread.length, ...figures })
  })

  test('has a price, which is measured', { timeout }, async () => {
    const rounds = atScale({ quick: 1, normal: 5, long: 10 })
    const few = { warn: {}, metrics_and_log: { METRICS_PORT: '0', LOG_LEVEL: 'info' } }
    const all = { nothing: { LOG_LEVEL: 'silent' }, metrics: { METRICS_PORT: '0' }, ...few }
    const kinds: Record<string, Record<string, string>> = atScale({
      quick: few,
      normal: all,
      long: all,
    })
    const services = new Map<string, WatchedProcess>()
    for (const [kind, environment] of Object.entries(kinds)) {
      services.set(kind, await started(environment))
    }
    for (const service of services.values()) await listMany(service)
    const costs = new Map<string, number[]>()
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, service] of services) {
        const before = service.cpuMs()
        await listMany(service)
        const each = ((service.cpuMs() - before) * 1000) / count
        costs.set(kind, [...(costs.get(kind) ?? []), each])
      }
    }
    const figures = [...costs].map(([kind, each]) => [`${kind}_us`, Math.round(median(each))])
    report('what metrics and the log cost of a request, in time of the processor', {
      requests: count * rounds,
      ...Object.fromEntries(figures),
    })
  })
})

const listMany = ({ post }: WatchedProcess) => sendMany(count, () => post('/wallet/list', {}))

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

describe('a collector of traces', () => {
  /** Takes connections and says nothing. */
  async function openSilence(): Promise<{ server: Server; port: number }> {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, port: (server.address() as { port: number }).port }
  }

  const kinds = atScale({
    quick: ['silent'],
    normal: ['silent', 'dead'],
    long: ['silent', 'dead'],
  })

  test.each(kinds)('that is %s harms no request, and no end', { timeout }, async (kind) => {
    const { server, port } = await openSilence()
    onTestFinished(() => void server.close())
    if (kind === 'dead') server.close()
    const plain = await started({})
    const traced = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
    for (const service of [plain, traced]) await sendMany(200, mixed(service))
    const without = await sendMany(count, mixed(plain))
    const within = await sendMany(count, mixed(traced))
    expect(within.every(({ status }) => status < 500)).toBe(true)
    const { code, ms } = await traced.stop()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    report(`a ${kind} collector of traces harms nothing`, {
      requests: count,
      untraced_p99_ms: quantile(without, 0.99),
      traced_p99_ms: quantile(within, 0.99),
      stop_ms: ms,
    })
  })
})

describe('readiness', () => {
  test('goes with the database, and comes back with it', { timeout }, async () => {
    if (!canTry(await isServerThere(), 'readiness: no PostgreSQL answers at TEST_DATABASE_URL'))
      return
    const place = await createDatabase()
    onTestFinished(place.remove)
    const address = new URL(place.address)
    const line = await openLine(address.hostname, Number(address.port))
    onTestFinished(line.close)
    address.port = String(line.port)
    const service = await startWatched({
      DATABASE_URL: address.href,
      ENCRYPTION_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'silent',
    })
    open.push(service)
    const ask = async (path: string) => (await fetch(service.url + path)).status
    expect(await ask('/readyz')).toBe(200)
    await line.close()
    const gone = await until(async () => (await ask('/readyz')) === 503)
    const aliveMeanwhile = await ask('/livez')
    await line.open()
    const back = await until(async () => (await ask('/readyz')) === 200)
    expect(aliveMeanwhile).toBe(200)
    report('/readyz goes with the database and comes back with it; /livez stays', {
      noticed_ms: gone,
      back_ms: back,
    })
  })
})

/** How long it took until something was so, in ms. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
  return Math.round(performance.now() - begun)
}
