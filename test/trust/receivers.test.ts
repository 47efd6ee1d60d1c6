import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findNextDelivery,
  firstPosition,
  listDueAt,
  listDueEndpoints,
  listDueFor,
} from '../../src/server/queue/due-webhook-store.ts'
import { openPlace } from '../support/engine.ts'
import { firstClient } from '../support/service-process.ts'
import {
  canTryOn,
  createStore,
  type EdgeService,
  engines,
  type Store,
  startEdge,
} from './support/edge-service.ts'
import { answers, type OddReceiver, startOdd, startSilent } from './support/odd-receivers.ts'
import { percentile } from './support/open-loop.ts'
import { createRandom } from './support/random.ts'
import { progress, report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'
import { fillStore } from './support/waiting-webhooks.ts'

const codes = [
  'NEW_ACCOUNTS_AVAILABLE',
  'INITIAL_UPDATE',
  'HISTORICAL_UPDATE',
  'SYNC_UPDATES_AVAILABLE',
  'TRANSACTIONS_REMOVED',
]

interface Linked {
  access_token: string
  item_id: string
}

/** Links an Item whose webhooks go to an address. */
async function link(service: EdgeService, webhook: string, as = firstClient): Promise<Linked> {
  const body = {
    institution_id: 'ins_109508',
    initial_products: ['identity'],
    options: { webhook },
  }
  const { public_token } = await service.call('/sandbox/public_token/create', body, as)
  return (await service.call('/item/public_token/exchange', { public_token }, as)) as never
}

const fire = (service: EdgeService, { access_token }: Linked, webhook_code: string) =>
  service.call('/sandbox/item/fire_webhook', { access_token, webhook_code })

interface Listed {
  url: string
  status: string
  attempts: { status_code: number | null; error: string | null }[]
}

async function listAll(service: EdgeService, url: string): Promise<Listed[]> {
  const all: Listed[] = []
  for (let cursor: unknown; ; ) {
    const page = await service.call('/sandbox/webhook/list', {
      count: 500,
      ...(cursor ? { cursor } : {}),
    })
    all.push(...(page['webhooks'] as Listed[]))
    cursor = page['next_cursor']
    if (!cursor) return all.filter((one) => one.url.startsWith(url))
  }
}

/** Sends a webhook to a receiver that at first does not answer; when it was left, and what came of it. */
async function leaveSilent(service: EdgeService) {
  const silent = await startOdd((response, attempt) => attempt > 1 && answers.steady(response))
  // A client of its own: the clocks of others wait for their receivers only.
  const { client_id, secret } = await service.call('/sandbox/client/create', {})
  const client = { clientId: String(client_id), secret: String(secret) }
  const { access_token } = await link(service, `${silent.url}/hooks`, client)
  const fired = { access_token, webhook_code: codes[0] }
  const begun = performance.now()
  await service.call('/sandbox/item/fire_webhook', fired, client)
  const look = async () => {
    const { webhooks } = await service.call('/sandbox/webhook/list', {}, client)
    return (webhooks as Listed[])[0]
  }
  let left = await look()
  while (!left?.attempts.length && performance.now() - begun < 60_000) {
    await sleep(50)
    left = await look()
  }
  const ms = Math.round(performance.now() - begun)
  await service.call('/sandbox/clock/advance', { seconds: pauses[0] }, client)
  const later = await look()
  await silent.close()
  return { ms, left, later, taken: silent.arrivals.filter(({ accepted }) => accepted).length }
}

/** The pauses of the schedule. */
const pauses = [30, 120, 480, 1920, 7680, 30_720]
const itemsOfEach = atScale({ quick: 2, normal: 6, long: 20 })
const eventsOfEach = atScale({ quick: 3, normal: 10, long: 25 })

describe('receivers', () => {
  let service: EdgeService
  let left: ReturnType<typeof leaveSilent>
  beforeAll(async () => {
    service = await startEdge(await createStore('sqlite'))
    // Takes ten seconds, in which others are tried.
    left = leaveSilent(service)
  })
  afterAll(() => service.remove())

  /** Fires events at Items of a receiver, one code after the other. */
  async function fireAll(receiver: OddReceiver): Promise<Linked[]> {
    const places = Array.from({ length: itemsOfEach }, (_, place) => place)
    const items = await Promise.all(
      places.map((place) => link(service, `${receiver.url}/${place}`)),
    )
    for (let event = 0; event < eventsOfEach; event += 1) {
      const code = codes[event % codes.length] ?? ''
      await Promise.all(items.map((item) => fire(service, item, code)))
    }
    return items
  }

  async function letTimePass(receiver: OddReceiver): Promise<Listed[]> {
    for (const seconds of [0, ...pauses]) {
      await service.call('/sandbox/clock/advance', { seconds })
      const listed = await listAll(service, receiver.url)
      if (listed.every(({ status }) => status === 'delivered')) return listed
    }
    return listAll(service, receiver.url)
  }

  test.each(Object.entries(answers))(
    'that are %s get every event',
    {
      timeout: 120_000,
    },
    async (name, answer) => {
      const receiver = await startOdd(answer)
      const items = await fireAll(receiver)
      const listed = await letTimePass(receiver)
      const all = items.length * eventsOfEach
      const delivered = listed.filter(({ status }) => status === 'delivered').length
      report(`a receiver that is ${name} gets every event`, {
        events: all,
        delivered,
        attempts: listed.reduce((sum, { attempts }) => sum + attempts.length, 0),
        two_at_once_of_an_item: receiver.overlaps.length,
      })
      expect([listed.length, delivered, receiver.overlaps]).toEqual([all, all, []])
      for (const { item_id } of items) {
        const taken = receiver.arrivals.filter(({ item, accepted }) => item === item_id && accepted)
        expect(taken.length).toBeGreaterThanOrEqual(eventsOfEach)
      }
      if (name === 'steady') {
        const expected = Array.from(
          { length: eventsOfEach },
          (_, event) => codes[event % codes.length],
        )
        for (const { item_id } of items) {
          const order = receiver.arrivals
            .filter(({ item }) => item === item_id)
            .map(({ code }) => code)
          expect(order).toEqual(expected)
        }
      }
    },
  )

  test('that fail half of the time get every event, or are asked seven times', {
    timeout: 120_000,
  }, async () => {
    const random = createRandom('receivers')
    let isUp = false
    const receiver = await startOdd((response) => {
      if (isUp || random.next() < 0.5) return answers.steady(response)
      response.writeHead(503).end()
      return false
    })
    const items = await fireAll(receiver)
    const listed = await letTimePass(receiver)
    const failed = listed.filter(({ status }) => status !== 'delivered')
    for (const { attempts } of failed) expect(attempts).toHaveLength(7)
    isUp = true
    const again = await service.call('/sandbox/webhook/list', { count: 500 })
    for (const { webhook_id, url, status } of again['webhooks'] as Record<string, string>[]) {
      if (url?.startsWith(receiver.url) && status !== 'delivered') {
        await service.call('/sandbox/webhook/redeliver', { webhook_id })
      }
    }
    await service.call('/sandbox/clock/advance', { seconds: 0 })
    const last = await listAll(service, receiver.url)
    report('a receiver that fails half of the time gets every event, or is asked seven times', {
      events: items.length * eventsOfEach,
      delivered: listed.length - failed.length,
      failed_seven_times: failed.length,
      delivered_when_asked_again: last.filter(({ status }) => status === 'delivered').length,
    })
    expect(last.every(({ status }) => status === 'delivered')).toBe(true)
  })

  test('whose certificate is unknown get nothing, and block no other receiver', {
    timeout: 60_000,
  }, async () => {
    const receiver = await startOdd(answers.steady, true)
    const item = await link(service, `${receiver.url}/tls`)
    await fire(service, item, codes[0] ?? '')
    await service.call('/sandbox/clock/advance', { seconds: 0 })
    const [listed] = await listAll(service, receiver.url)
    report('a receiver with a certificate that nobody knows gets nothing', {
      arrived: receiver.arrivals.length,
      error: listed?.attempts[0]?.error ?? 'none',
    })
    expect(receiver.arrivals).toEqual([])
    expect(listed).toMatchObject({ status: 'pending', attempts: [{ status_code: null }] })
  })

  test('that do not answer are left after ten seconds, and get the event later', {
    timeout: 90_000,
  }, async () => {
    const { ms, left: first, later, taken } = await left
    report('a receiver that does not answer is left after ten seconds, and gets the event later', {
      left_after_ms: ms,
      attempts: later?.attempts.length ?? 0,
      taken_later: taken,
    })
    expect(ms).toBeGreaterThan(9900)
    expect(first).toMatchObject({ status: 'pending', attempts: [{ error: 'timeout' }] })
    const attempts = [{ error: 'timeout' }, { status_code: 200 }]
    expect([later, taken]).toMatchObject([{ status: 'delivered', attempts }, 1])
  })
})

/** How long live webhooks take while others wait, in ms. */
async function measureDelays(service: EdgeService, seconds: number): Promise<number[]> {
  const receiver = await startOdd(answers.steady)
  const items = await Promise.all(
    [1, 2, 3, 4].map((place) => link(service, `${receiver.url}/${place}`)),
  )
  const fired: number[] = []
  const until = performance.now() + seconds * 1000
  for (let made = 0; performance.now() < until; made += 1) {
    fired.push(performance.now())
    await fire(service, items[made % items.length] as Linked, codes[0] ?? '')
    await sleep(40)
  }
  const patience = performance.now() + 20_000
  while (receiver.arrivals.length < fired.length && performance.now() < patience) await sleep(20)
  // Of an Item they come in their order, and so do those that were fired.
  const delays = items.flatMap(({ item_id }, place) => {
    const ofItem = fired.filter((_, number) => number % items.length === place)
    const came = receiver.arrivals.filter(({ item }) => item === item_id)
    return ofItem.map((at, number) => (came[number]?.at ?? Number.POSITIVE_INFINITY) - at)
  })
  await receiver.close()
  return delays
}

const deadReceivers = atScale({ quick: 200, normal: 700, long: 700 })
const seconds = atScale({ quick: 2, normal: 15, long: 20 })

test('dead receivers delay the others little', { timeout: 120_000 }, async () => {
  const idle = await startEdge(await createStore('sqlite'))
  const alone = await measureDelays(idle, seconds)
  await idle.remove()
  const silent = await startSilent()
  const store = await createStore('sqlite')
  const endpoints = Array.from({ length: deadReceivers }, (_, place) => silent.urlOf(place))
  const count = deadReceivers * 30
  await fillStore(store, { count, endpoints, itemsOfEach: 10, shareOfOneItem: 0 })
  const busy = await startEdge(store)
  const enough = deadReceivers / 2
  const patience = performance.now() + 20_000
  while (silent.connections() < enough && performance.now() < patience) await sleep(50)
  const hanging = silent.connections()
  const beside = await measureDelays(busy, seconds)
  report('dead receivers delay the others little', {
    dead_receivers: deadReceivers,
    waiting_for_them: count,
    hanging_at_once: hanging,
    live_webhooks: beside.length,
    p50_ms_without: percentile(alone, 0.5),
    p99_ms_without: percentile(alone, 0.99),
    p50_ms: percentile(beside, 0.5),
    p99_ms: percentile(beside, 0.99),
  })
  expect(hanging).toBeGreaterThanOrEqual(enough)
  // The timeout of a receiver is ten seconds.
  expect(percentile(beside, 0.99)).toBeLessThan(5000)
})

const waitingWebhooks = atScale({ quick: 5000, normal: 100_000, long: 1_000_000 })

/** How long each look for work takes, in ms. */
async function timeLooks(store: Store, hotUrl: string): Promise<Record<string, number>> {
  const database = await openPlace(store.address)
  const now = Date.now()
  const looks = {
    endpoints: () => listDueEndpoints(database.single, now),
    hot_endpoint: () => listDueAt(database.single, hotUrl, now, 8),
    page_of_a_client: () => listDueFor(database.single, firstClient.clientId, now, firstPosition),
    next: () => findNextDelivery(database.single, now),
  }
  const times: Record<string, number> = {}
  for (const [name, look] of Object.entries(looks)) {
    await look()
    const begun = performance.now()
    await look()
    times[`look_${name}_ms`] = Math.round((performance.now() - begun) * 10) / 10
  }
  await database.close()
  return times
}

describe.each(engines)('on %s', (engine) => {
  test.skipIf(scale === 'quick' && engine === 'postgres')(
    'memory is bounded, and others are served, however many webhooks wait',
    {
      timeout: 1_800_000,
    },
    async () => {
      if (!(await canTryOn(engine))) return
      const silent = await startSilent()
      const store = await createStore(engine)
      const endpoints = Array.from({ length: 500 }, (_, place) => silent.urlOf(place))
      progress(`${engine}: writing ${waitingWebhooks} webhooks`)
      const plain = await createStore(engine)
      const idle = await startEdge(plain)
      await idle.call('/wallet/list', { iso_currency_code: 'GBP' })
      const before = idle.rss()
      await idle.remove()
      await fillStore(store, {
        count: waitingWebhooks,
        endpoints,
        itemsOfEach: 20,
        shareOfOneItem: 0.2,
      })
      const looks = await timeLooks(store, endpoints[0] ?? '')
      const service = await startEdge(store)
      let most = 0
      const watch = setInterval(() => {
        most = Math.max(most, service.rss())
      }, 100)
      const delays = await measureDelays(service, seconds)
      const begun = performance.now()
      await service.call('/wallet/list', { iso_currency_code: 'GBP' })
      const answered = Math.round(performance.now() - begun)
      clearInterval(watch)
      report(`memory is bounded however many webhooks wait (${engine})`, {
        waiting: waitingWebhooks,
        rss_mb_without: before,
        most_rss_mb: most,
        live_p50_ms: percentile(delays, 0.5),
        live_p99_ms: percentile(delays, 0.99),
        call_ms: answered,
        ...looks,
      })
      expect(most - before).toBeLessThan(250)
      expect(percentile(delays, 0.99)).toBeLessThan(10_000)
      service.signal('SIGTERM')
      expect((await service.ended).code).toBe(0)
    },
  )
})
