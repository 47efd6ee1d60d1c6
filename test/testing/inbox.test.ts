import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Inbox, startService, type Tenant, type TestService } from '../../src/testing/index.ts'
import type { WebhookEvent } from '../../src/webhooks/index.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

/** A tenant with an Item that tells an inbox, whose first webhooks are over. */
async function listen(): Promise<{ tenant: Tenant; inbox: Inbox; access_token: string }> {
  const tenant = await service.tenant()
  const inbox = await tenant.inbox()
  const { access_token } = await tenant.linkItem({ webhook: inbox.url })
  inbox.clear()
  return { tenant, inbox, access_token }
}

const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'

describe('an inbox', () => {
  test('gives events by their code, each with its type', async () => {
    const tenant = await service.tenant()
    await using inbox = await tenant.inbox()
    const { item_id } = await tenant.linkItem({ webhook: inbox.url })
    const initial = await inbox.next('INITIAL_UPDATE')
    expectTypeOf(initial.new_transactions).toBeNumber()
    expectTypeOf(initial.webhook_code).toEqualTypeOf<'INITIAL_UPDATE'>()
    expect(initial).toMatchObject({ item_id, webhook_type: 'TRANSACTIONS' })
    // @ts-expect-error: there is no such event.
    const missed = inbox.next('NO_SUCH_EVENT', { timeout: 0 })
    await expect(missed).rejects.toThrow('no NO_SUCH_EVENT webhook arrived')
  })

  test('gives events by type and code where the code stands under two types', async () => {
    const { tenant, inbox, access_token } = await listen()
    for (const webhook_type of ['IDENTITY', 'TRANSACTIONS'] as const) {
      const event = { access_token, webhook_code: 'DEFAULT_UPDATE', webhook_type } as const
      await tenant.control.sandboxItemFireWebhook(event).orThrow()
    }
    const update = await inbox.next('IDENTITY.DEFAULT_UPDATE')
    expect(update.webhook_type).toBe('IDENTITY')
    await inbox.next('TRANSACTIONS.DEFAULT_UPDATE')
  })

  test('waits for what comes later, and gives it to one who waits only', async () => {
    const { tenant, inbox, access_token } = await listen()
    const both = [inbox.next(webhook_code), inbox.next(webhook_code)]
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await Promise.race(both)
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    expect(await Promise.all(both)).toHaveLength(2)
    expect(inbox.all).toHaveLength(2)
  })

  test('gives what a condition holds for', async () => {
    const { tenant, inbox, access_token } = await listen()
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    const isOfItem = (event: WebhookEvent) => event.webhook_type === 'ITEM'
    expect((await inbox.next(isOfItem)).webhook_code).toBe(webhook_code)
  })

  test('says what came when what was awaited did not', async () => {
    const { tenant, inbox, access_token } = await listen()
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await inbox.next(webhook_code)
    const tampered = { access_token, webhook_code, tamper: 'stale' } as const
    await tenant.control.sandboxItemFireWebhook(tampered).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    await expect(inbox.next(webhook_code, { timeout: 0 })).rejects.toThrow(
      'no NEW_ACCOUNTS_AVAILABLE webhook arrived within 0 ms; these did: ' +
        'ITEM.NEW_ACCOUNTS_AVAILABLE (taken), one to be refused (stale)',
    )
  })

  test.each([
    ['bad_signature', 'bad_signature'],
    ['unknown_key', 'unknown_key'],
    ['stale', 'stale'],
    ['future', 'future'],
    ['altered_body', 'altered_body'],
    ['alg_none', 'wrong_algorithm'],
  ] as const)('rejects a delivery with %s as a receiver has to', async (tamper, reason) => {
    const { tenant, inbox, access_token } = await listen()
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code, tamper }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    expect(inbox.all.map(({ event, refusal }) => [event, refusal?.reason])).toEqual([
      [undefined, reason],
    ])
    const { webhooks } = await tenant.control.sandboxWebhookList({ count: 1 }).orThrow()
    expect(webhooks[0]?.attempts.map(({ status_code }) => status_code)).toEqual([400])
  })

  test('fails as often as configured, and then answers as usual', async () => {
    const { tenant, inbox, access_token } = await listen()
    inbox.answer({ status: 503, times: 2 })
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 3600 }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 3600 }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 3600 }).orThrow()
    const { webhooks } = await tenant.control.sandboxWebhookList({}).orThrow()
    const fired = webhooks.find((one) => one.webhook_code === webhook_code)
    expect(fired?.attempts.map(({ status_code }) => status_code)).toEqual([503, 503, 200])
  })

  test('can answer late', async () => {
    const { tenant, inbox, access_token } = await listen()
    inbox.answer({ delayMs: 1, status: 204 })
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    const { webhooks } = await tenant.control.sandboxWebhookList({ count: 1 }).orThrow()
    expect(webhooks[0]?.attempts.map(({ status_code }) => status_code)).toEqual([204])
  })

  test('ends pending waits when it is closed', async () => {
    const inbox = await service.inbox()
    const waiting = inbox.next(webhook_code)
    const closed = expect(waiting).rejects.toThrow('the inbox was closed')
    await inbox.close()
    await closed
  })

  test('rejects waits once it is closed', async () => {
    const inbox = await service.inbox()
    await inbox.close()
    await expect(inbox.next(webhook_code)).rejects.toThrow('the inbox was closed')
  })

  test('passes the error of a condition to its caller, and accepts the webhook', async () => {
    const { tenant, inbox, access_token } = await listen()
    const asked = inbox.next(() => {
      throw new Error('no such field')
    })
    const failed = expect(asked).rejects.toThrow('no such field')
    const event = inbox.next(webhook_code)
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await failed
    expect((await event).webhook_code).toBe(webhook_code)
    await tenant.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    const { webhooks } = await tenant.control.sandboxWebhookList({ count: 1 }).orThrow()
    expect(webhooks[0]?.status).toBe('delivered')
  })

  test('waits without a limit when configured so', async () => {
    const { tenant, inbox, access_token } = await listen()
    const event = inbox.next(webhook_code, { timeout: Number.POSITIVE_INFINITY })
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    expect((await event).webhook_code).toBe(webhook_code)
  })

  test('answers as usual when configured to fail zero times', async () => {
    const { tenant, inbox, access_token } = await listen()
    inbox.answer({ status: 503, times: 0 })
    await tenant.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await tenant.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    const { webhooks } = await tenant.control.sandboxWebhookList({ count: 1 }).orThrow()
    expect(webhooks[0]?.attempts.map(({ status_code }) => status_code)).toEqual([200])
  })

  test.each([0, 199, 1000, 200.5])('cannot answer the status %d', async (status) => {
    const { inbox } = await listen()
    expect(() => inbox.answer({ status })).toThrow(
      '`status` must be a whole number from 200 to 599',
    )
  })
})
