import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stopDeliveries } from '../../src/server/queue/webhook-store.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext, insertTestItem, type Linked, settle } from '../support/transactions-fixtures.ts'
import { judgeAll } from '../support/webhook-judge.ts'

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

interface World {
  tenant: Tenant
  item: Linked
}

/** A client with an Item whose webhooks go to the receiver. */
async function link(webhook = receiver.url): Promise<World> {
  const tenant = await service.tenant()
  return { tenant, item: await insertTestItem(service, tenant, { webhook }) }
}

const fire = async ({ tenant, item }: World, times = 1) => {
  for (let count = 0; count < times; count += 1) {
    await tenant.control('sandboxItemFireWebhook', {
      access_token: item.access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
  }
}

const list = async (tenant: Tenant) => (await tenant.control('sandboxWebhookList', {})).webhooks
const advance = (tenant: Tenant, seconds: number) =>
  tenant.control('sandboxClockAdvance', { seconds })
const kidOf = ({ headers }: Received) =>
  decodeProtectedHeader(String(headers['service-verification'])).kid!
const iatOf = ({ headers }: Received) => decodeJwt(String(headers['service-verification'])).iat!

describe('webhookVerificationKeyGet', () => {
  test('returns the key that a webhook names', async () => {
    const world = await link()
    await fire(world)
    const kid = kidOf((await receiver.arrivals(1))[0]!)
    const { data } = await world.tenant.api.webhookVerificationKeyGet({ key_id: kid })
    expect(data?.key).toMatchObject({ kid, alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' })
    expect(data?.key.expired_at).toBeNull()
  })

  test('says when a key was made by the clock of its client, in seconds', async () => {
    const tenant = await service.tenant()
    const { now } = await advance(tenant, 86_400)
    const { key_id } = await tenant.control('sandboxWebhookRotateKey', {})
    const { data } = await tenant.api.webhookVerificationKeyGet({ key_id })
    const late = data!.key.created_at - Date.parse(now) / 1000
    expect([late >= 0, late < 60]).toEqual([true, true])
  })

  test('rejects an unknown id, and that of another client, alike', async () => {
    const [one, other] = [await service.tenant(), await service.tenant()]
    const { key_id } = await other.control('sandboxWebhookRotateKey', {})
    for (const id of [key_id, '00000000-0000-4000-8000-000000000000', 'no key']) {
      const { error, response } = await one.api.webhookVerificationKeyGet({ key_id: id })
      expect([response.status, error?.error_code]).toEqual([
        400,
        'INVALID_WEBHOOK_VERIFICATION_KEY_ID',
      ])
    }
  })

  test('gives no two clients the same key', async () => {
    const worlds = [await link(), await link()]
    for (const world of worlds) await fire(world)
    const kids = (await receiver.arrivals(2)).map(kidOf)
    expect(new Set(kids).size).toBe(2)
  })

  test('keeps private keys encrypted', async () => {
    const tenant = await service.tenant()
    const { key_id } = await tenant.control('sandboxWebhookRotateKey', {})
    const stored = await service.service.database.read((db) =>
      db.first<{ private_key: string }>('select private_key from webhook_keys where key_id = $1', [
        key_id,
      ]),
    )
    expect(Buffer.from(stored!.private_key.split('.')[1]!, 'base64url').length).toBeGreaterThan(43)
    expect(service.service.keys.decrypt(stored!.private_key)).toMatch(/^[\w-]{43}$/)
  })
})

describe('a delivery', () => {
  test('is the body of the list, byte for byte, with a signature that holds', async () => {
    const world = await link()
    await fire(world)
    const [webhook] = await receiver.arrivals(1)
    expect(await judgeAll(world.tenant, [webhook!])).toEqual([null])
    await settle(world.tenant)
    const [listed] = await list(world.tenant)
    expect(webhook!.body.toString()).toBe(listed!.body)
    expect(listed).toMatchObject({ status: 'delivered', url: receiver.url })
    expect(JSON.parse(listed!.body)).toEqual({
      webhook_type: 'ITEM',
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      item_id: world.item.item_id,
      error: null,
      environment: 'sandbox',
    })
    expect(listed!.body).toMatch(/^\{\n {2}"webhook_type": .*,\n {2}"environment": "sandbox"\n\}$/s)
    expect(webhook!.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  test('is signed at the real time, wherever the clock of its client is', async () => {
    const world = await link()
    await advance(world.tenant, 30 * 86_400)
    const before = Math.floor(Date.now() / 1000)
    await fire(world)
    const [webhook] = await receiver.arrivals(1)
    const late = iatOf(webhook!) - before
    expect([late >= 0, late < 60]).toEqual([true, true])
    expect(await judgeAll(world.tenant, [webhook!])).toEqual([null])
  })

  test('is not made for a fact that was rolled back', async () => {
    const { tenant, item } = await link()
    const failing = inContext(service, tenant, async (ctx) => {
      const { item_id } = item
      const fields = { item_id, error: null }
      await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', fields, { url: receiver.url, item_id })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await settle(tenant)
    expect(await list(tenant)).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('succeeds with any 2xx', async () => {
    receiver.behave(204)
    const world = await link()
    await fire(world)
    await settle(world.tenant)
    expect(await list(world.tenant)).toMatchObject([
      { status: 'delivered', attempts: [{ status_code: 204, error: null }] },
    ])
  })

  test('that is redirected has failed', async () => {
    receiver.behave((response) => response.writeHead(302, { Location: receiver.url }).end())
    const world = await link()
    await fire(world)
    await settle(world.tenant)
    const [webhook] = await list(world.tenant)
    expect(webhook).toMatchObject({ status: 'pending', attempts: [{ status_code: 302 }] })
    expect(receiver.received).toHaveLength(1)
  })

  test('goes on after its Item was stopped for no other', async () => {
    receiver.behave(500)
    const world = await link()
    const other = {
      ...world,
      item: await insertTestItem(service, world.tenant, { webhook: receiver.url }),
    }
    await fire(world)
    await fire(other)
    await settle(world.tenant)
    await inContext(service, world.tenant, (ctx) => stopDeliveries(ctx, world.item.item_id))
    receiver.behave(200)
    await advance(world.tenant, 30)
    const statuses = (await list(world.tenant)).map(({ status }) => status)
    expect(statuses).toEqual(['delivered', 'failed'])
    expect(receiver.received).toHaveLength(3)
  })
})

describe('a retry', () => {
  test('follows the schedule of the contract, to the second, and ends after seven', async () => {
    receiver.behave(500)
    const still = await startService({ clock: () => Date.parse('2026-03-16T12:00:00Z') })
    const tenant = await still.tenant()
    const world = { tenant, item: await insertTestItem(still, tenant, { webhook: receiver.url }) }
    await fire(world)
    await settle(tenant)
    for (const [made, seconds] of [30, 120, 480, 1920, 7680, 30_720].entries()) {
      await advance(tenant, seconds - 1)
      expect(receiver.received).toHaveLength(made + 1)
      await advance(tenant, 1)
      expect(receiver.received).toHaveLength(made + 2)
    }
    await advance(tenant, 10 * 86_400)
    expect(receiver.received).toHaveLength(7)
    const [webhook] = await list(tenant)
    expect(webhook!.status).toBe('failed')
    expect(webhook!.attempts.map(({ at, status_code }) => [at, status_code])).toEqual(
      ['12:00:00', '12:00:30', '12:02:30', '12:10:30', '12:42:30', '14:50:30', '23:22:30'].map(
        (time) => [`2026-03-16T${time}Z`, 500],
      ),
    )
    await still.close()
  })

  test('has the same body and a signature of its own', async () => {
    receiver.behave(500)
    const world = await link()
    await fire(world)
    await settle(world.tenant)
    receiver.behave(200)
    await advance(world.tenant, 30)
    const [first, second] = receiver.received
    expect(second!.body.equals(first!.body)).toBe(true)
    expect(second!.headers['service-verification']).not.toBe(first!.headers['service-verification'])
    expect(await judgeAll(world.tenant, receiver.received)).toEqual([null, null])
    const [webhook] = await list(world.tenant)
    expect(webhook).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 500 }, { status_code: 200 }],
    })
    const [one, two] = webhook!.attempts.map(({ at }) => Date.parse(at))
    expect(two! - one!).toBeGreaterThanOrEqual(30_000)
  })

  test('is not made more than a day after the first attempt', async () => {
    receiver.behave(500)
    const world = await link()
    await fire(world)
    await settle(world.tenant)
    await advance(world.tenant, 86_400)
    expect(receiver.received).toHaveLength(2)
    expect(await list(world.tenant)).toMatchObject([{ status: 'failed' }])
  })

  test('tells why a receiver did not answer', async () => {
    const gone = await startReceiver()
    await gone.close()
    const world = await link(gone.url)
    await fire(world)
    await settle(world.tenant)
    expect(await list(world.tenant)).toMatchObject([
      { status: 'pending', attempts: [{ status_code: null, error: 'connection refused' }] },
    ])
  })

  test('is not made at an endpoint that rejects nearly all, which still gets first attempts', async () => {
    receiver.behave(500)
    const world = await link()
    await fire(world, 9)
    await settle(world.tenant)
    const planned = await list(world.tenant)
    expect(planned.map(({ status }) => status)).toEqual(Array(9).fill('pending'))
    await fire(world)
    await settle(world.tenant)
    expect((await list(world.tenant))[0]).toMatchObject({ status: 'failed', attempts: [{}] })
    await advance(world.tenant, 30)
    expect(receiver.received).toHaveLength(10)
    const statuses = (await list(world.tenant)).map(({ status }) => status)
    expect(statuses).toEqual(Array(10).fill('failed'))
  })

  test('is made again once the rejections are a day old', async () => {
    receiver.behave(500)
    const world = await link()
    await fire(world, 10)
    await settle(world.tenant)
    await advance(world.tenant, 30)
    await advance(world.tenant, 86_401)
    await fire(world)
    await settle(world.tenant)
    expect((await list(world.tenant))[0]).toMatchObject({ status: 'pending' })
  })

  test("is not withheld because of another client's rejections", async () => {
    receiver.behave(500)
    const [one, other] = [await link(), await link()]
    await fire(one, 10)
    await settle(one.tenant)
    await fire(other)
    await settle(other.tenant)
    expect(await list(other.tenant)).toMatchObject([{ status: 'pending' }])
  })
})

describe('a receiver that hangs', () => {
  let dead: Receiver
  beforeEach(async () => {
    dead = await startReceiver()
    dead.behave('hang')
  })
  afterEach(() => dead.close())

  test('delays neither the deliveries of others nor answers', async () => {
    const stuck = await link(dead.url)
    const linkOther = async () => ({
      tenant: stuck.tenant,
      item: await insertTestItem(service, stuck.tenant, { webhook: dead.url }),
    })
    const others = await Promise.all(Array.from({ length: 23 }, linkOther))
    await Promise.all([stuck, ...others].map((one) => fire(one, 3)))
    await dead.arrivals(8)
    const alive = {
      ...stuck,
      item: await insertTestItem(service, stuck.tenant, { webhook: receiver.url }),
    }
    await fire(alive, 10)
    const arrived = await receiver.arrivals(10)
    expect(await judgeAll(stuck.tenant, arrived)).toEqual(Array(10).fill(null))
    const places = 8 * service.processes
    expect((await dead.arrivals(places)).length).toBe(dead.received.length)
    for (const webhook of dead.received) webhook.answer(200)
    await dead.arrivals(places + 8)
  })

  test('gets nothing any more of an Item that was removed while others were before it', async () => {
    const { tenant } = await link(dead.url)
    const linkAnother = () => insertTestItem(service, tenant, { webhook: dead.url })
    const items = await Promise.all(Array.from({ length: 40 }, linkAnother))
    for (const item of items) await fire({ tenant, item })
    const places = 8 * service.processes
    await dead.arrivals(places)
    // With its successor the others are read, which wait for theirs.
    dead.received[0]!.answer(200)
    await dead.arrivals(places + 1)
    const waiting = (await list(tenant)).filter(({ attempts }) => attempts.length === 0)
    const told = waiting.map(({ body }) => (JSON.parse(body) as { item_id: string }).item_id)
    const removed = told[0] as string
    await inContext(service, tenant, (ctx) => stopDeliveries(ctx, removed))
    dead.behave(200)
    for (const webhook of dead.received.slice(1)) webhook.answer(200)
    const arrived = await dead.arrivals(39)
    await settle(tenant)
    const bodies = arrived.map(
      ({ body }) => (JSON.parse(body.toString()) as { item_id: string }).item_id,
    )
    expect(bodies).not.toContain(removed)
    expect([new Set(bodies).size, dead.received.length]).toEqual([39, 39])
  })

  test('gets the webhooks of an Item one after the other, in their order', async () => {
    const world = await link(dead.url)
    await fire(world, 4)
    const settling = [settle(world.tenant), settle(world.tenant)]
    for (const count of [1, 2, 3, 4]) {
      const arrived = await dead.arrivals(count)
      // Other workers have looked for work when these are answered.
      for (const _call of [1, 2, 3, 4, 5, 6]) await list(world.tenant)
      expect(dead.received).toHaveLength(count)
      arrived.at(-1)!.answer(200)
    }
    await Promise.all(settling)
    const written = (await list(world.tenant)).map(({ body }) => body)
    expect(dead.received.map(({ body }) => body.toString()).reverse()).toEqual(written)
  })

  test('gets no delivery twice at once, however often work is looked for', async () => {
    const world = await link(dead.url)
    await fire(world)
    await dead.arrivals(1)
    const settling = [settle(world.tenant), settle(world.tenant), settle(world.tenant)]
    const advancing = advance(world.tenant, 1)
    dead.received[0]!.answer(200)
    await Promise.all([...settling, advancing])
    expect(dead.received).toHaveLength(1)
    expect(await list(world.tenant)).toMatchObject([{ status: 'delivered', attempts: [{}] }])
  })
})

test('deliveries under load arrive once at every receiver', async () => {
  const worlds = await Promise.all([link(), link(), link(`${receiver.url}/other`)])
  await Promise.all(worlds.map((world) => fire(world, 30)))
  for (const { tenant } of worlds) await settle(tenant)
  const arrived = await receiver.arrivals(90)
  const items = arrived.map(({ body }) => JSON.parse(body.toString()).item_id)
  for (const { item } of worlds) expect(items.filter((id) => id === item.item_id)).toHaveLength(30)
  expect(receiver.received).toHaveLength(90)
})
