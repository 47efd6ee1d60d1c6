import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { masked } from '../../src/server/pipeline/mask-body.ts'
import { sealAnswer } from '../../src/server/worker/webhooks/seal-answer.ts'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext, insertTestItem, settle } from '../support/transactions-fixtures.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/** The answer of a receiver. */
const saying =
  (status: number, body: string | Buffer): Behaviour =>
  (response) =>
    void response.writeHead(status).end(body)

/** One webhook that was attempted once, as its page shows it. */
async function attemptOnce(behaviour: Behaviour) {
  const tenant = await service.tenant()
  const { access_token } = await insertTestItem(service, tenant, { webhook: receiver.url })
  receiver.behave(behaviour)
  const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
  await tenant.control('sandboxItemFireWebhook', { access_token, webhook_code })
  await receiver.arrivals(1)
  await settle(tenant)
  return { tenant, ...(await look(tenant)) }
}

async function look(tenant: Tenant) {
  const browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
  return { browser, ...(await lookAs(browser)) }
}

async function lookAs(browser: DashboardBrowser) {
  const { webhooks } = await browser.ask('dashboardWebhookList', {})
  const webhook_id = webhooks[0]?.webhook_id ?? ''
  return browser.ask('dashboardWebhookGet', { webhook_id })
}

describe('an attempt', () => {
  test('has the response of its receiver, its time and the signature that was sent', async () => {
    const { tries } = await attemptOnce(saying(500, 'the queue is full: ä'))
    const [{ headers }] = receiver.received as [Receiver['received'][number]]
    expect(tries).toMatchObject([
      {
        status_code: 500,
        response: 'stored',
        response_body: 'the queue is full: ä',
        response_bytes: 21,
        response_is_cut: false,
        signature: headers['service-verification'],
      },
    ])
    expect(tries[0]?.duration_ms).toBeGreaterThanOrEqual(0)
  })

  test('has the first 2048 bytes of a long response', async () => {
    const { tries } = await attemptOnce(saying(200, 'x'.repeat(5000)))
    expect(tries).toMatchObject([
      { response_bytes: 5000, response_body: 'x'.repeat(2048), response_is_cut: true },
    ])
  })

  test('has bytes that are no text', async () => {
    const { tries } = await attemptOnce(saying(200, Buffer.from([0, 255, 65])))
    expect(tries).toMatchObject([{ response_bytes: 3, response_body: '\u0000\uFFFDA' }])
  })

  test.each([
    ['of 204 has no body', 204 as Behaviour, 204, 0],
    ['without a response has none', 'hang up' as Behaviour, null, null],
  ])('%s', async (_, behaviour, status_code, response_bytes) => {
    const { tries } = await attemptOnce(behaviour)
    const none = { response: 'none', response_body: null, response_is_cut: false }
    expect(tries).toMatchObject([{ ...none, status_code, response_bytes }])
  })

  test('stores the response encrypted', async () => {
    const { tenant } = await attemptOnce(saying(500, 'the queue is full'))
    const row = await service.service.database.read((db) =>
      db.first<{ answer: string }>('select answer from webhook_attempts where client_id = $1', [
        tenant.clientId,
      ]),
    )
    expect(row?.answer).not.toContain('queue')
    expect(service.service.keys.decrypt(row?.answer ?? '')).toBe('the queue is full')
  })

  test('of an earlier release has no response', async () => {
    const { tenant, browser } = await attemptOnce(saying(500, 'the queue is full'))
    await service.service.database.transaction((db) =>
      db.run(
        `update webhook_attempts set duration_ms = null, answer_bytes = null, answer = null,
          signature = null where client_id = $1`,
        [tenant.clientId],
      ),
    )
    const { tries } = await lookAs(browser)
    const nothing = { duration_ms: null, signature: null, response_bytes: null }
    expect(tries).toMatchObject([{ ...nothing, status_code: 500, response: 'not_stored' }])
  })
})

describe('a webhook that is sent again', () => {
  const statusOf = async (browser: DashboardBrowser) => {
    const { webhooks } = await browser.ask('dashboardWebhookList', {})
    const listed = await Promise.all(
      (['pending', 'retrying', 'delivered', 'failed'] as const).map(async (status) => {
        const found = await browser.ask('dashboardWebhookList', { status })
        return found.webhooks.map((one) => one.status)
      }),
    )
    const { webhooks: counts } = await browser.ask('dashboardOverviewGet', {})
    const [status] = webhooks.map((one) => one.status)
    expect(listed.flat()).toEqual([status])
    expect(counts).toEqual([{ status, webhooks: 1 }])
    return status
  }

  test('keeps the attempts that are planned', async () => {
    const { tenant, browser, webhook } = await attemptOnce(saying(500, 'full'))
    expect(await statusOf(browser)).toBe('retrying')
    await browser.ask('dashboardWebhookRedeliver', { webhook_id: webhook.webhook_id })
    await receiver.arrivals(2)
    await settle(tenant)
    const found = await lookAs(browser)
    expect(found.webhook).toMatchObject({ status: 'retrying', attempts: 2 })
    expect(found.tries.map(({ requested }) => requested)).toEqual([false, true])
    // As after the first attempt: half a minute, and not the two minutes after a second one.
    const waits = Date.parse(found.next_attempt_at ?? '') - service.service.clock()
    expect(waits).toBeLessThanOrEqual(30_000)
    receiver.behave(200)
    await browser.ask('dashboardWebhookRedeliver', { webhook_id: webhook.webhook_id })
    await receiver.arrivals(3)
    await settle(tenant)
    expect(await statusOf(browser)).toBe('delivered')
  })
})

describe('in production a response', () => {
  const answer = (text: string) => ({ head: Buffer.from(text), bytes: text.length })
  const body = '{"status":"full","email":"ada.prewitt@lender.example.com"}'

  test('is stored for a client whose bodies are stored, and masked', async () => {
    const settings = { environment: 'production', reportDelayMs: 0 } as const
    const production = await startService({ settings })
    const tenant = await production.tenant()
    const seal = (text: string, keepsBodies: boolean) =>
      inContext(production, tenant, async (ctx) => {
        const sealed = sealAnswer(ctx, answer(text), keepsBodies)
        return sealed === null ? null : JSON.parse(ctx.keys.decrypt(sealed))
      })
    expect(await seal(body, false)).toBeNull()
    expect(await seal(body, true)).toEqual({ status: masked, email: masked })
    // Nobody knows what of a text is about a person.
    expect(await seal('unknown user ada.prewitt@lender.example.com', true)).toBeNull()
    await production.close()
  })
})
