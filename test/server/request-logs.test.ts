import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { createRepeatLimiter } from '../../src/server/observe/limit-repeats.ts'
import { createLogger, toLog } from '../../src/server/observe/log.ts'
import type { ConcurrencyLimiter } from '../../src/server/pipeline/concurrency-limiter.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { type Line, type ObservedService, startObserved } from '../support/observed.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import type { Tenant } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

/** Other tests use the machine too. */
const patience = { timeout: 10_000 }

let observed: ObservedService
let receiver: Receiver
let tenant: Tenant
beforeAll(async () => {
  observed = await startObserved('trace')
  receiver = await startReceiver()
  tenant = await observed.service.tenant()
})
afterAll(async () => {
  await observed.close()
  await receiver.close()
})

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { clientId, secret } = tenant
  const response = await fetch(observed.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': secret,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const id = response.headers.get('request-id')
  await response.arrayBuffer()
  // The line is written when the connection has taken the answer.
  await expect.poll(() => lineOf(id), patience).toBeDefined()
  return { id, line: lineOf(id) as Line }
}

const lineOf = (id: string | null): Line | undefined =>
  observed.lines('request').find(({ request_id }) => request_id === id)

describe('a request', () => {
  test('leaves one line that says what was asked, by whom, and what came of it', async () => {
    const { line, id } = await post('/wallet/create', { iso_currency_code: 'GBP' })
    expect(line).toMatchObject({
      level: 'info',
      request_id: id,
      method: 'POST',
      operation: 'walletCreate',
      version: currentVersion,
      status: 200,
      client_id: tenant.clientId,
      duration_ms: expect.any(Number),
    })
    expect(line['bytes']).toBeGreaterThan(100)
    expect(observed.lines('request').filter((one) => one['request_id'] === id)).toHaveLength(1)
  })

  test('that is rejected leaves its code', async () => {
    const { line } = await post('/wallet/get', { wallet_id: 'wallet-id-sandbox-0' })
    expect(line).toMatchObject({ operation: 'walletGet', status: 400, level: 'info' })
    expect(line['error_code']).toEqual(expect.any(String))
  })

  test('for what does not exist leaves nothing of its path', async () => {
    const response = await fetch(`${observed.url}/no/such-page?q=hidden-value`)
    await expect
      .poll(() => lineOf(response.headers.get('request-id')), patience)
      .toMatchObject({
        operation: 'none',
        status: 404,
        error_code: 'NOT_FOUND',
      })
    expect(observed.output()).not.toMatch(/such-page|hidden-value/)
  })

  test('whose error was asked for is no warning', async () => {
    const wanted = { operation: '/wallet/list', error_code: 'INTERNAL_SERVER_ERROR' } as const
    await tenant.control('sandboxErrorInject', wanted)
    const { line } = await post('/wallet/list', {})
    expect(line).toMatchObject({ status: 500, level: 'info' })
  })

  test('that fails is a warning, and its fault stands beside it', async () => {
    const { database } = observed.service.service
    const whole = database.transaction
    database.transaction = () => Promise.reject(new Error('the disk is on fire'))
    const { line, id } = await post('/wallet/create', { iso_currency_code: 'GBP' })
    database.transaction = whole
    expect(line).toMatchObject({ status: 500, level: 'warn' })
    const [fault] = observed.lines(`the request ${id} failed`)
    expect(fault).toMatchObject({ level: 'error', err: { message: 'the disk is on fire' } })
  })

  test('that exceeds the limit is logged at debug, and once in a while by a warning', async () => {
    // A running service shows what its limiter measures; here it rejects all.
    const limiter = observed.service.limiter as ConcurrencyLimiter
    const excess = limiter.excessWaitMs
    limiter.excessWaitMs = () => 1500
    const lines = await Promise.all(
      Array.from({ length: 5 }, async () => (await post('/wallet/list', {})).line),
    )
    limiter.excessWaitMs = excess
    expect(lines.map(({ status, level }) => [status, level])).toEqual(Array(5).fill([503, 'debug']))
    const told = 'more requests come than can be answered: some are refused'
    expect(observed.lines(told)).toEqual([expect.objectContaining({ level: 'warn' })])
    const text = await observed.readMetrics()
    expect(text).toContain('fds_requests_shed_total 5')
  })

  test('for the health of the service is logged at debug only', async () => {
    await fetch(`${observed.url}/livez`)
    const health = () => observed.lines('request').filter((one) => one['operation'] === 'health')
    await expect.poll(() => health().length, patience).toBeGreaterThan(0)
    expect(health()[0]).toMatchObject({ level: 'debug' })
  })
})

describe('an attempt to deliver a webhook', () => {
  test('leaves a line with the host of the receiver, and nothing else of its address', async () => {
    const webhook = `${receiver.url}/path-that-is-secret?key=geheim`
    const { access_token } = await insertTestItem(observed.service, tenant, { webhook })
    await tenant.control('sandboxItemFireWebhook', {
      access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
    await receiver.arrivals(1)
    await expect.poll(() => observed.lines('delivery').length, patience).toBeGreaterThan(0)
    expect(observed.lines('delivery')[0]).toMatchObject({
      level: 'info',
      client_id: tenant.clientId,
      webhook_id: expect.any(String),
      webhook: 'ITEM.NEW_ACCOUNTS_AVAILABLE',
      host: new URL(receiver.url).host,
      attempt: 1,
      status: 200,
      outcome: 'delivered',
    })
    expect(observed.output()).not.toMatch(/path-that-is-secret|geheim/)
  })
})

test('an import leaves a line with counts, and nothing of what its file says', async () => {
  const text = writeStatement('OFX 1.x', january)
  await importText(observed.service, text, { client_id: tenant.clientId, file: 'geheim.ofx' })
  await expect.poll(() => observed.lines('import').length, patience).toBe(1)
  expect(observed.lines('import')[0]).toMatchObject({
    level: 'info',
    client_id: tenant.clientId,
    item_id: expect.any(String),
    format: 'ofx',
    result: 'whole',
    rows: { new: 1, known: 0 },
  })
  expect(observed.output()).not.toMatch(/geheim|DE89|Tide Coffee/)
})

describe('nothing secret is in the log', () => {
  test('wherever a caller may put it', async () => {
    const secret = 'hunter2hunter2hunter2'
    const inHeaders = {
      Authorization: `Bearer ${secret}`,
      Cookie: `session=${secret}`,
      'SERVICE-SECRET': secret,
      'X-Anything': secret,
      'User-Agent': secret,
      traceparent: secret,
    }
    await post(`/wallet/list?secret=${secret}#${secret}`, { secret }, inHeaders)
    await post('/oauth/token', { client_secret: secret, grant_type: secret, subject_token: secret })
    await post('/wallet/create', { iso_currency_code: secret, [secret]: secret })
    await post('/wallet/create', `{"secret": "${secret}" broken`)
    await fetch(`${observed.url}/${secret}?${secret}`, { headers: { Referer: secret } })
    await fetch(`${observed.url}/images/${secret}/a1.png?signature=${secret}`)
    await expect.poll(() => observed.lines('request').length, patience).toBeGreaterThan(5)
    expect(observed.output()).not.toContain(secret)
    expect(observed.output()).not.toContain(tenant.secret)
  })

  /** What the log has of an error with this text, wherever it hangs. */
  function logged(text: string): string {
    const written: string[] = []
    const log = toLog(createLogger('info', { write: (line) => void written.push(line) }))
    const error = new Error(`it failed with ${text}`, { cause: new TypeError(`because ${text}`) })
    log.error(Object.assign(error, { detail: text, parameters: [text] }), `about ${text}`)
    const output = written.join('')
    expect(JSON.parse(output)).toMatchObject({ level: 'error', err: { type: 'Error' } })
    return output
  }

  test.each([
    ['an access token', 'access-production-0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f', '0a1b2c3d-0a1b'],
    ['an OAuth token', 'sva-AAAABBBBCCCCDDDDEEEE11==', 'AAAABBBB'],
    ['a refresh token', 'svr-AAAABBBBCCCCDDDDEEEE11==', 'AAAABBBB'],
    ['a signed token', 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', 'c2lnbmF0'],
    ['credentials', 'Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpw'],
    ['an address with a password', 'postgres://service:geheim@db.example:5432/x', 'geheim'],
    ['an address with a query', 'https://example.com/hooks?key=geheim', 'geheim'],
    ['a field', '{"client_secret":"geheim"}', 'geheim'],
    ['a secret', 'ab'.repeat(16), 'abababab'],
    ['an account number', '1111222233330000', '11112222'],
    ['an SSN', '123-45-6789', '45-6789'],
  ])('not even %s in the text of a failure', (_, text, hidden) => {
    expect(text).toContain(hidden)
    expect(logged(text)).not.toContain(hidden)
  })

  test.each(['secret', 'access_token', 'authorization', 'body'])(
    'not even where a line should come to have a field %s',
    (name) => {
      const written: string[] = []
      const logger = createLogger('info', { write: (line) => void written.push(line) })
      logger.info({ [name]: 'geheim', status: 200 }, 'request')
      expect(written.join('')).not.toContain('geheim')
      expect(JSON.parse(written.join(''))).toMatchObject({ [name]: '[redacted]', status: 200 })
    },
  )

  test('while what explains a failure stays', () => {
    const text = 'connect ECONNREFUSED 127.0.0.1:5432 for the request gSMlDhvs4ZNBh5i'
    expect(logged(text)).toContain(text)
  })
})

test('a failure that comes with every request is logged ten times a second, and counted', () => {
  let now = 0
  const repeats = createRepeatLimiter(() => now)
  const told = Array.from({ length: 50 }, () => repeats.admit('away'))
  expect(told.filter((one) => one !== undefined)).toHaveLength(10)
  expect(repeats.admit('something else')).toBe(40)
  now = 1001
  expect(repeats.admit('away')).toBe(0)
})
