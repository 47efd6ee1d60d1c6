import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readyAccessToken, wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { firstClient, headersOf } from '../support/service-process.ts'
import { createStore, type EdgeService, startEdge } from './support/edge-service.ts'
import { countHeld, toRequest } from './support/raw-socket.ts'
import { report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'
import { measureLatency, sendWithoutReading } from './support/unread.ts'

// What clients can make a service hold that send, and do not read.

const get = (path: string, header = '') =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n`
const openApi = get('/docs/openapi/2020-09-14.json')
const longHeader = `X-Long: ${'x'.repeat(15_000)}\r\n`
const post = (path: string, body: object) =>
  toRequest(path, headersOf(firstClient), JSON.stringify(body))
const page = {
  access_token: readyAccessToken,
  start_date: '2000-01-01',
  end_date: '2100-01-01',
  options: { count: 500 },
}
interface Attack {
  name: string
  requests: string
  /** How often each client reads a little, in ms; 0 is never. */
  every: number
  connections?: number
}
const attacks: Attack[] = [
  { name: 'pages of the docs', requests: get('/docs/').repeat(500), every: 0 },
  { name: 'OpenAPI files', requests: openApi.repeat(700), every: 0 },
  { name: 'small calls', requests: post('/wallet/list', {}).repeat(500), every: 0 },
  { name: 'pages of data', requests: post('/transactions/get', page).repeat(100), every: 0 },
  {
    name: 'pages of data, slowly',
    requests: post('/transactions/get', page).repeat(9),
    every: 200,
  },
  { name: 'icons', requests: get('/icons/FOOD_AND_DRINK.png').repeat(700), every: 0 },
  {
    name: 'docs with long headers',
    requests: openApi.repeat(8) + get('/docs/', longHeader).repeat(16),
    every: 0,
    connections: 1000,
  },
]
const [, other] = wellKnownClients
/** Where two cores do other work too, timers and calls are late by as much. */
const idleAtLeastMs = 40
/** In less time there are too few calls for a p99: a single slow one could decide it. */
const seconds = atScale({ quick: 6, normal: 10, long: 30 })

/** The limit of the heap that Node sets itself in a container of 512 MB; the machine here has more. */
const inContainer = { NODE_OPTIONS: '--max-old-space-size=256' }

/** The most memory that a process has ever held, in MB. */
function peakMb({ pid }: EdgeService): number {
  const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

/** For the pages that are let in at once: a slow machine takes more than a second for them. */
const longWorkMs = 2000

describe.each(attacks)('clients that ask for $name', (attack) => {
  const { name, requests, every, connections = 200 } = attack
  test('and read nothing hold little, and hardly delay others', { timeout: 120_000 }, async () => {
    const service = await startEdge(await createStore('sqlite'), inContainer)
    const call = () => service.post('/wallet/list', { iso_currency_code: 'GBP' }, other)
    // Just started, it compiles what it runs.
    await measureLatency(service.url, call, 1)
    const idle = await measureLatency(service.url, call, 2)
    const measured = measureLatency(service.url, call, seconds)
    const clients = await sendWithoutReading(service.url, { connections, requests })
    const reading = setInterval(() => {
      for (const { socket } of every ? clients : []) socket.read(1000)
    }, every || 1000)
    onTestFinished(() => {
      clearInterval(reading)
      for (const { socket } of clients) socket.destroy()
    })
    const busy = await measured
    const files = readdirSync(`/proc/${service.pid}/fd`).length
    // Of pages of data as many begin at once as are let in, before it is known how long they take.
    const isLongWork = name.startsWith('pages of data')
    const delay = isLongWork ? 'delay others by less than two seconds' : 'delay nobody'
    report(`clients that do not read hold one response each, and ${delay}`, {
      asked_for: name,
      connections,
      peak_rss_mb: peakMb(service),
      open_files: files,
      longest_livez_ms: busy.livez,
      other_p99_ms_idle: idle.p99,
      other_p99_ms: busy.p99,
    })
    expect(peakMb(service)).toBeLessThan(512)
    expect(files).toBeLessThan(connections + 200)
    expect(busy.livez).toBeLessThan(isLongWork ? longWorkMs : 1000)
    expect(busy.failed).toBe(0)
    const bound = isLongWork ? longWorkMs : 5 * Math.max(idle.p99, idleAtLeastMs)
    expect(busy.p99).toBeLessThan(bound)
  })
})

const declared = toRequest('/protect/event/send', {
  ...headersOf(firstClient),
  'Content-Length': '1048576',
})
const sendings = [
  { name: 'declare 1 MiB and send nothing of it', count: 2000, start: declared },
  { name: 'send half of 1 MiB', count: 200, start: declared + ' '.repeat(524_288) },
]

test.each(sendings)(
  'clients that $name take no room from others',
  {
    timeout: 120_000,
  },
  async ({ name, count, start }) => {
    const service = await startEdge(await createStore('sqlite'))
    // A body that is long, for which there has to be room.
    const event = '{"event":{"timestamp":"2026-03-01T00:00:00Z","app_visit":{}}'
    const body = `${event}${' '.repeat(100_000)}}`
    const call = async () => {
      const init = { method: 'POST', headers: headersOf(firstClient), body }
      const response = await fetch(`${service.url}/protect/event/send`, init)
      await response.text()
      return response
    }
    await measureLatency(service.url, call, 1)
    const clients = await sendWithoutReading(service.url, { connections: count, requests: start })
    onTestFinished(() => {
      for (const { socket } of clients) socket.destroy()
    })
    const busy = await measureLatency(service.url, call, seconds)
    report('bodies that do not come take no room from those that do', {
      clients: count,
      which: name,
      peak_rss_mb: peakMb(service),
      longest_livez_ms: busy.livez,
      long_bodies_refused: busy.failed,
      long_bodies_p99_ms: busy.p99,
    })
    expect(busy.failed).toBe(0)
    expect(peakMb(service)).toBeLessThan(512)
  },
)

test.skipIf(scale === 'quick')(
  'clients that end their side and read nothing are left after a minute',
  { timeout: 120_000 },
  async () => {
    const service = await startEdge(await createStore('sqlite'))
    const requests = openApi.repeat(12)
    const clients = await sendWithoutReading(service.url, { connections: 20, requests })
    for (const { socket } of clients) socket.end()
    await sleep(2000)
    const open = countHeld(clients)
    const begun = performance.now()
    while (countHeld(clients) > 0 && performance.now() - begun < 90_000) await sleep(200)
    report('clients that end their side and read nothing are left after a minute', {
      clients: open,
      last_left_ms: Math.round(performance.now() - begun) + 2000,
    })
    expect([open, countHeld(clients)]).toEqual([20, 0])
    for (const { socket } of clients) socket.destroy()
  },
)
