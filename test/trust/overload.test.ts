import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { firstClient, headersOf } from '../support/service-process.ts'
import {
  canTryOn,
  createStore,
  type EdgeService,
  engines,
  startEdge,
} from './support/edge-service.ts'
import { type Call, percentile, sendCalls } from './support/open-loop.ts'
import { countHeld, openRaw, type RawSocket, toRequest } from './support/raw-socket.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'
import { slowDown } from './support/slow-process.ts'

const read: Call = { path: '/accounts/get', body: { access_token: readyAccessToken } }
const write: Call = { path: '/wallet/create', body: { iso_currency_code: 'GBP' } }
const page: Call = {
  path: '/transactions/get',
  body: {
    access_token: readyAccessToken,
    start_date: '2000-01-01',
    end_date: '2100-01-01',
    options: { count: 500 },
  },
}
/**
 * To reject a call costs about a quarter of what it costs to answer a small one, most of it in Node
 * and the system: at four times as many small ones as it can answer a process could only reject.
 */
const mixes = {
  'small calls': {
    calls: [read, write, read],
    share: 0.1,
    // How fast it is alone differs by a third from one short run to the next: only longer ones tell.
    factors: atScale({ quick: [], normal: [1.25, 2], long: [1.25, 2] }),
  },
  pages: {
    calls: [page, write, page],
    share: 0.5,
    factors: atScale({ quick: [3], normal: [2, 3, 5], long: [2, 3, 5] }),
  },
}
const loads = Object.entries(mixes).flatMap(([kind, { calls, factors, share }]) =>
  factors.map((factor) => ({ kind, calls, factor, share })),
)
const wallets = { iso_currency_code: 'GBP' }

/** By then the line has not been empty for long. */
const settledAfter = 11
const seconds = settledAfter + atScale({ quick: 3, normal: 9, long: 34 })
/** A call waits for a second where the line has not been empty for long; other work may be slow here. */
const longestSettledMs = 6000
const longestMs = 15_000
/** Of what it answers alone. Where rejecting takes all the time it is a twentieth. */
const leastShare = 0.1
const longestLiveMs = 10_000

describe.each(engines)('on %s', (engine) => {
  test.skipIf(scale === 'quick' && engine === 'postgres').each(loads)(
    'a service that gets $factor times as many $kind as it can answer rejects the rest',
    {
      timeout: 300_000,
    },
    async ({ kind, calls, factor, share }) => {
      if (!(await canTryOn(engine))) return
      const service = await startEdge(await createStore(engine))
      // Just started, it compiles what it runs: it would become faster while it is measured.
      await sendCalls(service.url, calls, { seconds: 3, connections: 64 })
      const asFastAsItCan = slowDown(service.pid, share)
      onTestFinished(asFastAsItCan)
      await sendCalls(service.url, calls, { seconds: 1, connections: 64 })
      const most = await sendCalls(service.url, calls, { seconds: 2, connections: 64 })
      const capacity = Math.round(most.sent / 2)
      progress(`${engine}: ${capacity} ${kind} a second, now ${factor} times as many`)
      const loaded = sendCalls(service.url, calls, {
        seconds,
        rate: capacity * factor,
        connections: 3000,
      })
      await sleep((seconds - 1) * 1000)
      const asked = performance.now()
      const live = await fetch(`${service.url}/livez`)
      const liveMs = performance.now() - asked
      const sent = await loaded
      const recovered = performance.now()
      await service.call('/wallet/list', wallets)
      const firstMs = performance.now() - recovered
      const after = await sendCalls(service.url, calls, {
        seconds: 2,
        rate: Math.max(1, Math.round(capacity / 4)),
        connections: 200,
      })
      const accepted = sent.accepted.flatMap((ofSecond) => ofSecond ?? [])
      const settled = sent.accepted.slice(settledAfter).flatMap((ofSecond) => ofSecond ?? [])
      const refused = sent.statuses['503'] ?? 0
      const answered = Object.values(sent.statuses).reduce((sum, count) => sum + count, 0)
      report(`beyond its capacity a service refuses, and answers the others soon (${engine})`, {
        calls: kind,
        times_capacity: factor,
        calls_a_second: capacity * factor,
        answered_a_second_alone: capacity,
        answered_a_second: Math.round(accepted.length / seconds),
        refused_share: Math.round((refused / sent.sent) * 100) / 100,
        accepted_p50_ms: percentile(accepted, 0.5),
        accepted_p99_ms: percentile(accepted, 0.99),
        accepted_p99_ms_when_settled: percentile(settled, 0.99),
        livez_ms: Math.round(liveMs),
        first_call_after_ms: Math.round(firstMs),
        p99_ms_after: percentile(after.accepted.flat(), 0.99),
        refused_after: after.statuses['503'] ?? 0,
      })
      expect(sent.others).toEqual([])
      expect(Object.keys(sent.statuses).sort()).toEqual(['200', '503'])
      expect([answered, sent.lost]).toEqual([sent.sent, 0])
      expect([sent.malformed, sent.retryAfter['none'] ?? 0, live.status]).toEqual([0, 0, 200])
      expect(settled.length / (seconds - settledAfter)).toBeGreaterThan(capacity * leastShare)
      expect(percentile(settled, 0.99)).toBeLessThan(longestSettledMs)
      expect(percentile(accepted, 0.99)).toBeLessThan(longestMs)
      expect(liveMs).toBeLessThan(longestLiveMs)
      expect(after.statuses).toEqual({ 200: after.sent })
      expect(refused).toBeGreaterThan(0)
    },
  )
})

describe('a service', () => {
  let service: EdgeService
  beforeAll(async () => {
    service = await startEdge(await createStore('sqlite'))
    return service.remove
  })

  const headers = headersOf(firstClient)

  test('rejects none of a thousand calls that come at once', { timeout: 120_000 }, async () => {
    const begun = performance.now()
    const all = await Promise.all(
      Array.from({ length: 1000 }, () => service.post('/wallet/create', wallets)),
    )
    const refused = all.filter(({ status }) => status !== 200).length
    report('a thousand calls at once are no overload', {
      calls: all.length,
      refused,
      ms: Math.round(performance.now() - begun),
    })
    expect(refused).toBe(0)
  })

  test('ends the connections of clients that send too slowly', { timeout: 120_000 }, async () => {
    const count = atScale({ quick: 100, normal: 2000, long: 5000 })
    const before = service.rss()
    const clients = await Promise.all(Array.from({ length: count }, () => openRaw(service.url)))
    for (const { socket } of clients) socket.write('POST /wallet/create HTTP/1.1\r\nHost: 1')
    const dribbling = setInterval(() => {
      for (const { socket } of clients) if (socket.writable) socket.write('1')
    }, 1000)
    const asked = performance.now()
    expect((await service.post('/wallet/list', wallets)).status).toBe(200)
    const meanwhile = performance.now() - asked
    const ended = await Promise.all(clients.map(({ closed }) => closed))
    clearInterval(dribbling)
    report('headers that come byte by byte end with the connection after ten seconds', {
      clients: count,
      first_ended_ms: Math.round(Math.min(...ended)),
      last_ended_ms: Math.round(Math.max(...ended)),
      a_call_meanwhile_ms: Math.round(meanwhile),
      rss_mb_before: before,
      rss_mb: service.rss(),
    })
    expect(Math.max(...ended)).toBeLessThan(30_000)
    expect(clients[0]?.text()).toMatch(/^HTTP\/1\.1 400 .*"error_code":"INVALID_HEADERS"/s)
  })

  const notQuick = test.skipIf(scale === 'quick')
  const halves = { 'bodies of 1 MB': 1_000_000, 'bodies of 60 KB': 60_000 }
  notQuick.each(Object.entries(halves))(
    'ends those that send half of %s, and no more',
    {
      timeout: 180_000,
    },
    async (name, size) => {
      const count = 1500
      const before = service.rss()
      const length = { 'Content-Length': String(size) }
      const clients = await Promise.all(Array.from({ length: count }, () => openRaw(service.url)))
      const half = toRequest('/protect/event/send', { ...headers, ...length })
      for (const { socket } of clients) socket.write(half + 'x'.repeat(30_000))
      await sleep(2000)
      const refused = clients.filter(({ text }) => text().startsWith('HTTP/1.1 503')).length
      expect((await service.post('/wallet/list', wallets)).status).toBe(200)
      const ended = await Promise.all(clients.map(({ closed }) => closed))
      report(`${name} of which the rest never comes end with the connection after half a minute`, {
        clients: count,
        refused_for_lack_of_room: refused,
        last_ended_ms: Math.round(Math.max(...ended)),
        rss_mb_before: before,
        rss_mb: service.rss(),
      })
      expect(refused).toBeGreaterThan(0)
      expect(Math.max(...ended)).toBeLessThan(90_000)
    },
  )

  test('holds no body of 400 MB in memory, announced or not', { timeout: 120_000 }, async () => {
    const before = service.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, service.rss())
    }, 20)
    const announced = await sendLong(service.url, true)
    const chunked = await sendLong(service.url, false)
    clearInterval(watch)
    report('a body of 400 MB is refused, and is not held in memory', {
      announced,
      in_chunks: chunked,
      rss_mb_before: before,
      most_rss_mb: most,
    })
    expect([announced, chunked]).toEqual(['413, then 200', '413, then 200'])
    // A quarter of the 800 MB that came: what is not collected yet counts, too, at any size of body.
    expect(most - before).toBeLessThan(200)
    expect((await service.post('/wallet/list', wallets)).status).toBe(200)
  })

  test('answers a line of requests on one connection in their order', {
    timeout: 60_000,
  }, async () => {
    const count = atScale({ quick: 500, normal: 5000, long: 20_000 })
    const client = await openRaw(service.url)
    const body = JSON.stringify(wallets)
    const good = toRequest('/wallet/list', headers, body)
    const bad = toRequest('/nowhere', headers, body)
    client.socket.write((good + bad).repeat(count / 2))
    const statuses = () => [...client.text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)
    const patience = performance.now() + 50_000
    while (statuses().length < count && performance.now() < patience) await sleep(50)
    const answered = statuses()
    const wrong = answered.filter((code, place) => {
      const expected = place % 2 === 0 ? '200' : '404'
      return code !== expected && code !== '503'
    })
    client.socket.destroy()
    report('requests that are sent without waiting are answered in their order', {
      requests: count,
      answered: answered.length,
      out_of_order: wrong.length,
      rss_mb: service.rss(),
    })
    expect([answered.length, wrong]).toEqual([count, []])
  })

  test('rejects headers without end', { timeout: 60_000 }, async () => {
    const client = await openRaw(service.url)
    client.socket.write('POST /wallet/list HTTP/1.1\r\n')
    for (let made = 0; made < 5000 && client.socket.writable; made += 1) {
      client.socket.write(`X-Header-${made}: ${'x'.repeat(50)}\r\n`)
    }
    await client.closed
    const [line = 'none'] = client.text().split('\r\n')
    report('headers without end end with the connection', { answer: line })
    expect(line).toBe('HTTP/1.1 400 Bad Request')
  })

  const unread = JSON.stringify({ count: 500 })
  const askMuch = async (count: number) => {
    const clients = await Promise.all(Array.from({ length: count }, () => openRaw(service.url)))
    // The system takes a connection before the service does, which may still be at work.
    while (countHeld(clients) < count) await sleep(20)
    for (const { socket } of clients) {
      socket.pause()
      socket.write(toRequest('/sandbox/request/list', headers, unread).repeat(50))
    }
    return clients
  }
  /** How long it takes until the service has left them all, in ms. */
  const untilLeft = async (clients: readonly RawSocket[], longestMs: number) => {
    const begun = performance.now()
    while (countHeld(clients) > 0 && performance.now() - begun < longestMs) await sleep(200)
    return Math.round(performance.now() - begun)
  }

  notQuick('ends clients that do not read what they asked for', { timeout: 120_000 }, async () => {
    // Else the answers are short, and lie in the buffers of the system.
    await Promise.all(Array.from({ length: 600 }, () => service.post('/wallet/list', wallets)))
    const clients = await askMuch(100)
    await sleep(5000)
    const held = service.rss()
    const open = countHeld(clients)
    const leftMs = await untilLeft(clients, 90_000)
    report('clients that do not read their answers are left after a minute', {
      clients: open,
      last_left_ms: leftMs + 5000,
      rss_mb_meanwhile: held,
    })
    expect([open, countHeld(clients)]).toEqual([100, 0])
    for (const { socket } of clients) socket.destroy()
  })

  test('ends clients that do not read, and send what is no HTTP for ever', {
    timeout: 60_000,
  }, async () => {
    const clients = await askMuch(10)
    const open = countHeld(clients)
    const dribbling = setInterval(() => {
      for (const { socket } of clients) if (socket.writable) socket.write('x')
    }, 500)
    const leftMs = await untilLeft(clients, 30_000)
    clearInterval(dribbling)
    report('clients that dribble on after their last answer are left', {
      clients: clients.length,
      last_left_ms: leftMs,
    })
    expect([open, countHeld(clients)]).toEqual([10, 0])
    for (const { socket } of clients) socket.destroy()
  })

  test('holds thousands of idle connections, and answers', { timeout: 180_000 }, async () => {
    const count = atScale({ quick: 1000, normal: 10_000, long: 10_000 })
    const fresh = await startEdge(await createStore('sqlite'))
    await fresh.call('/wallet/list', wallets)
    const before = fresh.rss()
    const clients: RawSocket[] = []
    while (clients.length < count) {
      clients.push(...(await Promise.all(Array.from({ length: 500 }, () => openRaw(fresh.url)))))
    }
    const connected = clients.filter(({ socket }) => !socket.destroyed).length
    if (canTry(connected === count, `only ${connected} connections may be open here`)) {
      // Each has asked once, and waits with its connection open.
      const asked = toRequest('/wallet/list', headers, JSON.stringify(wallets))
      for (const { socket } of clients) socket.write(asked)
      const patience = performance.now() + 60_000
      const isAnswered = ({ text }: RawSocket) => text().startsWith('HTTP/1.1 200')
      while (!clients.every(isAnswered) && performance.now() < patience) await sleep(100)
      const times: number[] = []
      for (let made = 0; made < 50; made += 1) {
        const begun = performance.now()
        await fresh.call('/wallet/list', wallets)
        times.push(performance.now() - begun)
      }
      report('thousands of idle connections cost little, and delay nobody', {
        connections: count,
        answered: clients.filter(isAnswered).length,
        rss_mb_before: before,
        rss_mb: fresh.rss(),
        call_p50_ms: percentile(times, 0.5),
        call_max_ms: percentile(times, 1),
      })
      expect(clients.every(isAnswered)).toBe(true)
      expect(fresh.rss() - before).toBeLessThan(400)
    }
    for (const { socket } of clients) socket.destroy()
  })
})

/** Sends 400 MB; what was answered, and whether the connection can be used for another request. */
async function sendLong(url: string, announced: boolean) {
  const size = 100_000
  const part = Buffer.alloc(size, ' ')
  const chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  const length: Record<string, string> = announced
    ? { 'Content-Length': String(size * 4000) }
    : { 'Transfer-Encoding': 'chunked' }
  const client = await openRaw(url)
  const { socket } = client
  const headers = { Host: '127.0.0.1', ...headersOf(firstClient), ...length }
  const lines = Object.entries(headers).map((pair) => pair.join(': '))
  socket.write(`POST /wallet/create HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  for (let sent = 0; sent < 4000 && socket.writable; sent += 1) {
    if (!socket.write(announced ? part : chunk)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), client.closed])
    }
  }
  if (!announced) socket.write('0\r\n\r\n')
  socket.write(toRequest('/wallet/list', headersOf(firstClient), JSON.stringify(wallets)))
  const statuses = () => [...client.text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)
  const patience = performance.now() + 10_000
  while (statuses().length < 2 && performance.now() < patience) await sleep(20)
  socket.destroy()
  return statuses().join(', then ')
}
