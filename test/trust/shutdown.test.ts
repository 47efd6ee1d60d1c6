import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { firstClient, headersOf } from '../support/service-process.ts'
import {
  canTryOn,
  createStore,
  type EdgeService,
  engines,
  startEdge,
} from './support/edge-service.ts'
import { createRandom } from './support/random.ts'
import { openRaw, toRequest } from './support/raw-socket.ts'
import { progress, report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'

const rounds = atScale({ quick: 1, normal: 8, long: 30 })
const workers = 24
const random = createRandom('shutdown')

interface Round {
  acknowledged: string[]
  /** Calls that were cut: a connection that was open and gave no answer. */
  cut: number
  refused: number
  surprises: string[]
}

/** Makes wallets until the service is gone. */
async function createUntilTheEnd(service: EdgeService, round: Round): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await service.post('/wallet/create', { iso_currency_code: 'GBP' })
      if (status === 200) round.acknowledged.push(String(body['wallet_id']))
      else round.surprises.push(`${status} ${JSON.stringify(body)}`)
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') round.refused += 1
      else round.cut += 1
      return
    }
  }
}

/** Stops a service under load, and returns what came of it. */
async function stopUnderLoad(
  service: EdgeService,
): Promise<Round & { code: number | null; ms: number }> {
  const round: Round = { acknowledged: [], cut: 0, refused: 0, surprises: [] }
  const calls = Array.from({ length: workers }, () => createUntilTheEnd(service, round))
  await sleep(300 + random.next() * 500)
  const begun = performance.now()
  service.signal('SIGTERM')
  const { code, at } = await service.ended
  await Promise.all(calls)
  return { ...round, code, ms: at - begun }
}

async function countMissing(service: EdgeService, ids: readonly string[]): Promise<number> {
  let missing = 0
  for (const wallet_id of ids) {
    const { status } = await service.post('/wallet/get', { wallet_id })
    if (status !== 200) missing += 1
  }
  return missing
}

describe.each(engines)('on %s', (engine) => {
  test('a service that is asked to end under load answers what it has, and loses nothing', {
    timeout: 900_000,
  }, async () => {
    if (!(await canTryOn(engine))) return
    const store = await createStore(engine)
    const all: string[] = []
    const figures = { cut: 0, refused: 0, longest_ms: 0 }
    for (let round = 1; round <= rounds; round += 1) {
      const service = await startEdge(store)
      const { acknowledged, cut, refused, surprises, code, ms } = await stopUnderLoad(service)
      progress(`${engine}, end ${round} of ${rounds}: ${acknowledged.length} acknowledged`)
      expect([code, surprises]).toEqual([0, []])
      expect(acknowledged.length).toBeGreaterThan(0)
      all.push(...acknowledged)
      figures.cut += cut
      figures.refused += refused
      figures.longest_ms = Math.max(figures.longest_ms, Math.round(ms))
    }
    const after = await startEdge(store)
    const checked = all.filter((_, place) => place % Math.ceil(all.length / 3000) === 0)
    const missing = await countMissing(after, checked)
    report(`a service that ends under load answers what it has (${engine})`, {
      ends: rounds,
      acknowledged: all.length,
      calls_at_the_end: rounds * workers,
      cut: figures.cut,
      refused_to_connect: figures.refused,
      checked: checked.length,
      missing,
      longest_end_ms: figures.longest_ms,
    })
    expect(missing).toBe(0)
    // Who connects at the very moment may be cut: nothing was done then.
    expect(figures.cut).toBeLessThanOrEqual(Math.ceil(rounds * workers * 0.02))
  })
})

test('what takes time is finished before the service ends', { timeout: 60_000 }, async () => {
  const service = await startEdge(await createStore('sqlite'))
  const delay_ms = atScale({ quick: 1000, normal: 4000, long: 4000 })
  const operation = '/wallet/create'
  await service.call('/sandbox/error/inject', { operation, delay_ms, times: 1 })
  const slow = service.post(operation, { iso_currency_code: 'GBP' })
  await sleep(300)
  const begun = performance.now()
  service.signal('SIGTERM')
  const { status } = await slow
  const { code, at } = await service.ended
  report('a call that takes its time is answered although the service ends', {
    call_ms: delay_ms,
    status,
    exit_code: String(code),
    end_ms: Math.round(at - begun),
  })
  expect([status, code]).toEqual([200, 0])
})

test('no client can keep a service from its end', { timeout: 120_000 }, async () => {
  const service = await startEdge(await createStore('sqlite'))
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  receiver.behave('hang')
  const { public_token } = await service.call('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['identity'],
    options: { webhook: receiver.url },
  })
  const { access_token } = await service.call('/item/public_token/exchange', { public_token })
  const fired = { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' }
  await service.call('/sandbox/item/fire_webhook', fired)
  await receiver.arrivals(1)
  // Waits for the receiver, as long as that takes.
  const advance = () => service.post('/sandbox/clock/advance', { seconds: 0 })
  const waiting = scale === 'quick' ? undefined : advance().catch(() => undefined)
  const headers = { ...headersOf(firstClient), 'Content-Length': '40' }
  const clients = await Promise.all(Array.from({ length: 50 }, () => openRaw(service.url)))
  for (const [place, { socket }] of clients.entries()) {
    // Some say nothing, some half of their headers, some half of their body.
    if (place % 3 === 1) socket.write('POST /wallet/create HTTP/1.1\r\nHost: 127')
    if (place % 3 === 2) socket.write(toRequest('/wallet/create', headers).slice(0, -2))
  }
  await sleep(200)
  const begun = performance.now()
  service.signal('SIGTERM')
  const { code, at } = await service.ended
  await waiting
  const ms = Math.round(at - begun)
  report('silent clients and receivers that hang do not keep a service from its end', {
    silent_clients: clients.length,
    hanging_receivers: 1,
    calls_that_wait_for_it: waiting ? 1 : 0,
    exit_code: String(code),
    end_ms: ms,
  })
  expect(code).toBe(0)
  expect(ms).toBeLessThan(15_000)
})

test('a service says that it is not ready before it stops to listen', {
  timeout: 60_000,
}, async () => {
  const service = await startEdge(await createStore('sqlite'), { SHUTDOWN_DELAY_MS: '1500' })
  const ready = async () => (await fetch(`${service.url}/readyz`)).status
  expect(await ready()).toBe(200)
  const begun = performance.now()
  service.signal('SIGTERM')
  await sleep(300)
  const whileLeaving = [
    await ready(),
    (await service.post('/wallet/list', { iso_currency_code: 'GBP' })).status,
  ]
  const { code, at } = await service.ended
  report('for as long as it is told, a service that is to end still answers, and is not ready', {
    told_ms: 1500,
    readyz: whileLeaving[0] ?? 0,
    call: whileLeaving[1] ?? 0,
    end_ms: Math.round(at - begun),
  })
  expect([...whileLeaving, code]).toEqual([503, 200, 0])
})

test('a second signal ends the service at once', { timeout: 60_000 }, async () => {
  const service = await startEdge(await createStore('sqlite'), { SHUTDOWN_DELAY_MS: '60000' })
  service.signal('SIGTERM')
  await sleep(500)
  const begun = performance.now()
  service.signal('SIGTERM')
  const { code, at } = await service.ended
  report('a second signal ends a service at once', {
    exit_code: String(code),
    end_ms: Math.round(at - begun),
  })
  expect(code).toBe(130)
})
