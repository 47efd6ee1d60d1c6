import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { currentVersion } from '../../generated/versions.ts'
import { start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { serveMetrics } from '../../src/server/http/metrics-server.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { combine } from '../../src/server/kernel/telemetry.ts'
import { metricList } from '../../src/server/observe/metric-list.ts'
import { readQueues } from '../../src/server/observe/queues.ts'
import { watchDatabase } from '../../src/server/observe/watch-database.ts'
import { countDeadJobs, insertDeadJob } from '../../src/server/queue/dead-job-store.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { type ObservedService, startObserved } from '../support/observed.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import type { Tenant } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

/** Other tests use the machine too. */
const patience = { timeout: 10_000 }

let observed: ObservedService
let receiver: Receiver
let tenant: Tenant
beforeAll(async () => {
  observed = await startObserved('silent')
  receiver = await startReceiver()
  tenant = await observed.service.tenant()
})
afterAll(async () => {
  await observed.close()
  await receiver.close()
})

const checks = { accepting: 'ok', database: 'ok', migrations: 'ok', writes: 'ok' }
const build = { version: '0', node: '24', store: 'any', environment: 'sandbox' }

const read = (queues: () => Promise<object> = readOwnQueues): Promise<string> =>
  observed.metrics.read({
    queues: queues as never,
    deadJobs: () => countDeadJobs(observed.service.service.database.single, 2),
    readiness: async () => ({ ready: true, checks }),
    waiting: () => 7,
    build,
  })

const readOwnQueues = () => readQueues(observed.service.service.database, Date.now())

/** The value of a series; 0 where there is none yet. */
async function seriesOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const series = (await read()).split('\n').filter((line) => line.match(/^\w+/)?.[0] === name)
  const found = series.filter((line) => wanted.every((label) => line.includes(label)))
  return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

async function post(path: string, body: object): Promise<number> {
  const { clientId, secret } = tenant
  const response = await fetch(observed.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': secret,
    },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

describe('requests', () => {
  test('are counted by operation, version, status and code', async () => {
    for (let count = 0; count < 3; count += 1) await post('/wallet/list', {})
    await post('/wallet/get', { wallet_id: 'wallet-id-sandbox-0', more: 1 })
    const ok = { operation: 'walletList', version: currentVersion, status: '200', error_code: '' }
    await expect.poll(() => seriesOf('fds_requests_total', ok), patience).toBe(3)
    const rejected = { operation: 'walletGet', status: '400', error_code: 'UNKNOWN_FIELDS' }
    await expect.poll(() => seriesOf('fds_requests_total', rejected), patience).toBe(1)
    expect(await seriesOf('fds_request_duration_seconds_count', { operation: 'walletList' })).toBe(
      3,
    )
  })

  test('count as in flight until they end', async () => {
    receiver.behave('hang')
    const { access_token } = await insertTestItem(observed.service, tenant, {
      webhook: receiver.url,
    })
    await tenant.control('sandboxItemFireWebhook', {
      access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
    await receiver.arrivals(1)
    const leaving = new AbortController()
    // An advance waits for the webhook that hangs.
    const asked = fetch(`${observed.url}/sandbox/clock/advance`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        'Content-Type': 'application/json',
        'SERVICE-CLIENT-ID': tenant.clientId,
        'SERVICE-SECRET': tenant.secret,
      },
      body: '{"seconds":1}',
    }).catch(() => 'left')
    await expect.poll(() => seriesOf('fds_requests_in_flight'), patience).toBe(1)
    leaving.abort()
    expect(await asked).toBe('left')
    await expect.poll(() => seriesOf('fds_requests_in_flight'), patience).toBe(0)
    const left = { operation: 'sandboxClockAdvance', status: 'none' }
    expect(await seriesOf('fds_requests_total', left)).toBe(1)
    receiver.received.at(-1)?.answer(200)
    receiver.behave(200)
  })

  test('make only so many series, whatever is asked for', async () => {
    const series = async () =>
      (await read()).split('\n').filter((line) => line.startsWith('fds_requests_total')).length
    await fetch(`${observed.url}/anything/0`)
    await expect.poll(() => seriesOf('fds_requests_total', { operation: 'none' }), patience).toBe(1)
    const before = await series()
    for (let count = 1; count < 20; count += 1) await fetch(`${observed.url}/anything/${count}`)
    await expect
      .poll(() => seriesOf('fds_requests_total', { operation: 'none' }), patience)
      .toBe(20)
    expect(await series()).toBe(before)
    const names = new Set(
      [...(await read()).matchAll(/operation="(\w+)"/g)].map(([, operation]) => operation),
    )
    const known = [...Object.keys(operations), 'none', 'sandboxItemFireWebhook']
    expect([...names].filter((name) => !known.includes(String(name)))).toEqual([
      'sandboxClockAdvance',
    ])
  })
})

test('what is no HTTP is counted, too', async () => {
  const malformed = { operation: 'none', status: '400', error_code: 'INVALID_HEADERS' }
  const { hostname, port } = new URL(observed.url)
  const socket = connect(Number(port), hostname)
  socket.end('not HTTP at all\r\n\r\n')
  socket.resume()
  await once(socket, 'close')
  expect(await seriesOf('fds_requests_total', malformed)).toBe(1)
})

describe('webhooks', () => {
  test('are counted by what became of the attempt, and of the webhook', async () => {
    const { access_token } = await insertTestItem(observed.service, tenant, {
      webhook: receiver.url,
    })
    const fire = () =>
      tenant.control('sandboxItemFireWebhook', {
        access_token,
        webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      })
    const attempts = (result: string) =>
      seriesOf('fds_delivery_attempts_total', { webhook: 'ITEM.NEW_ACCOUNTS_AVAILABLE', result })
    const [accepted, rejected] = [await attempts('accepted'), await attempts('refused')]
    await fire()
    await expect.poll(() => attempts('accepted'), patience).toBe(accepted + 1)
    receiver.behave(500)
    await fire()
    await expect.poll(() => attempts('refused'), patience).toBe(rejected + 1)
    expect(await seriesOf('fds_deliveries_ended_total', { outcome: 'failed' })).toBe(0)
  })

  test('that failed for good are counted apart', async () => {
    expect(await seriesOf('fds_jobs_dead')).toBe(0)
    const job = { client_id: tenant.clientId, kind: 'transactionsCheck', payload: '{}' }
    const failed = { attempts: 12, failed_at: 0, error: 'Error: gone' }
    await observed.service.service.database.transaction(async (db) => {
      for (const job_id of ['one', 'two', 'three']) {
        await insertDeadJob(db, { ...job, ...failed, job_id })
      }
    })
    // As many as are counted at most here.
    expect(await seriesOf('fds_jobs_dead')).toBe(2)
  })

  test('that wait are seen in the queue, with the time that the oldest is late', async () => {
    const { database, clock } = observed.service.service
    const { deliveries } = await readQueues(database, clock())
    const later = await readQueues(database, clock() + 60_000)
    expect(deliveries.waiting).toBeGreaterThan(0)
    expect(later.deliveries.due).toBe(deliveries.waiting)
    expect(later.deliveries.oldestMs).toBeGreaterThan(20_000)
    expect(await seriesOf('fds_queue_waiting', { queue: 'deliveries' })).toBe(deliveries.waiting)
  })
})

describe('the database', () => {
  test('is seen at work', async () => {
    const done = { kind: 'transaction', result: 'done' }
    const before = await seriesOf('fds_database_work_total', done)
    expect(await post('/wallet/create', { iso_currency_code: 'GBP' })).toBe(200)
    expect(await seriesOf('fds_database_work_total', done)).toBeGreaterThan(before)
    await expect.poll(() => seriesOf('fds_database_waiting'), patience).toBe(0)
  })

  test('that fails is reported', async () => {
    const { database } = observed.service.service
    const failed = { kind: 'transaction', result: 'failed' }
    const before = await seriesOf('fds_database_work_total', failed)
    const broken = () => Promise.reject(new Error('no'))
    await expect(database.transaction(broken)).rejects.toThrow('no')
    expect(await seriesOf('fds_database_work_total', failed)).toBe(before + 1)
  })

  test('that begins work again tells how often, and what it waited for the first time', async () => {
    const { database } = observed.service.service
    const before = await seriesOf('fds_database_retries_total')
    /** Has to give way twice. */
    const contended: Database = {
      ...database,
      transaction: async (work) => {
        await work(database.single)
        await work(database.single)
        return work(database.single)
      },
    }
    await watchDatabase(contended, combine([observed.metrics])).transaction(async () => {})
    expect(await seriesOf('fds_database_retries_total')).toBe(before + 2)
    // Work in the background may be under way, too.
    await expect.poll(() => seriesOf('fds_database_running')).toBe(0)
  })

  test('that is away leaves the other metrics', async () => {
    const text = await read(() => Promise.reject(new Error('away')))
    expect(text).toContain('fds_requests_total{')
    expect(text).not.toContain('fds_queue_due{')
  })
})

test('the list of metrics is what is served, and names no client', async () => {
  const text = await read()
  for (const [name, { type, help }] of Object.entries(metricList)) {
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`)
  }
  const served = [...text.matchAll(/^# TYPE (fds_\w+)/gm)].map(([, name]) => name)
  expect(served.sort()).toEqual(Object.keys(metricList).sort())
  expect(text).not.toContain(tenant.clientId)
})

describe('the port of the metrics', () => {
  const page = { contentType: 'text/plain', read: async () => 'fds_ready 1\n' }

  test('has one page', async () => {
    const { address, close } = await serveMetrics({ host: '127.0.0.1', port: 0 }, page)
    const found = await fetch(`${address}/metrics`)
    expect([found.status, await found.text()]).toEqual([200, 'fds_ready 1\n'])
    expect(found.headers.get('x-content-type-options')).toBe('nosniff')
    const other = await fetch(`${address}/`)
    expect([other.status, other.headers.get('x-content-type-options')]).toEqual([404, 'nosniff'])
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404)
    await close()
  })

  test('that is taken ends the start with one line', async () => {
    const { address, close } = await serveMetrics({ host: '127.0.0.1', port: 0 }, page)
    const { port } = new URL(address)
    const options = { MEMORY: '1', PORT: '0', LOG_LEVEL: 'silent', METRICS_PORT: port }
    const rejected = await start(readConfig([], options) as Config).catch((error) => error)
    expect(rejected).toBeInstanceOf(ConfigError)
    expect(rejected.message).toMatch(
      /EADDRINUSE.*: choose another METRICS_PORT, or a METRICS_HOST of this machine$/,
    )
    await close()
  })

  test('tells of a service that has been started, until it ends', async () => {
    const options = { MEMORY: '1', PORT: '0', LOG_LEVEL: 'silent', METRICS_PORT: '0' }
    const started = await start(readConfig([], options) as Config)
    const text = await (await fetch(`${started.metrics}/metrics`)).text()
    expect(text).toContain('fds_ready 1')
    expect(text).toMatch(/fds_build_info\{version="\d.*store="sqlite",environment="sandbox"\} 1/)
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(text).toMatch(/fds_queue_waiting\{queue="jobs"\} \d/)
    await started.close()
    await expect(fetch(`${started.metrics}/metrics`)).rejects.toThrow()
  })
})

test('imports are counted by result, and their rows by what they became', async () => {
  const { service } = observed
  const order = { client_id: tenant.clientId }
  const text = writeStatement('OFX 1.x', january)
  await importText(service, text, { ...order, dryRun: true })
  expect(await seriesOf('fds_imports_total')).toBe(0)
  await importText(service, text, order)
  await importText(service, text, order)
  const lost = writeStatement('MT940', { ...january, bookings: [] })
  await importText(service, lost, order)
  expect(await seriesOf('fds_imports_total', { format: 'ofx', result: 'whole' })).toBe(2)
  expect(await seriesOf('fds_imports_total', { format: 'mt940', result: 'nothing' })).toBe(1)
  const rows = (became: string) => seriesOf('fds_import_rows_total', { became })
  expect([await rows('new'), await rows('known')]).toEqual([1, 1])
})
