import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Changes, createChanges } from '../../src/server/dashboard/changes/changes.ts'
import { type DashboardBrowser, openLocally, signIn } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext } from '../support/transactions-fixtures.ts'

let service: TestService
let tenant: Tenant
let changes: Changes
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  changes = createChanges(service.service, 5)
})
afterEach(() => changes.stop())

const senderOf = (
  { cookie }: DashboardBrowser,
  headers: Record<string, string | undefined> = {},
) => ({
  headers: { host: new URL(service.url).host, 'sec-fetch-site': 'same-origin', cookie, ...headers },
  remoteAddress: '127.0.0.1',
  address: '127.0.0.1',
})

const user = (role: 'admin' | 'developer' | 'reviewer' = 'admin') =>
  signIn(service, { client_id: tenant.clientId, role })

/** A stream, and the lists that it has named so far. */
async function watch(browser: DashboardBrowser, clientId?: string, of = changes) {
  const stream = await of.open(senderOf(browser), clientId)
  const told: string[] = []
  const texts: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => {
    texts.push(text)
    const [, names] = /^event: change\ndata: (.*)\n\n$/.exec(text) ?? []
    if (names) told.push(...(JSON.parse(names) as string[]))
  })
  return { stream, told, texts }
}

const emit = (one: Tenant) =>
  inContext(service, one, (ctx) =>
    ctx.emit(
      'ITEM.NEW_ACCOUNTS_AVAILABLE',
      { item_id: 'item', error: null },
      { url: 'https://x.example/' },
    ),
  )

const hasEnded = (stream: Readable) => once(stream, 'close')

describe('the stream of changes', () => {
  test('names the lists that have changed, and no others', async () => {
    const { told, texts } = await watch(await user())
    await expect.poll(() => texts.length).toBeGreaterThan(0)
    expect(texts[0]).toContain('data: ["requests","webhooks","verifications"]')
    await emit(tenant)
    await expect.poll(() => told).toContain('webhooks')
    await tenant.api.walletList({}).orThrow()
    await tenant.control('sandboxRequestList', {})
    await expect.poll(() => told).toContain('requests')
    expect(told).not.toContain('verifications')
  })

  test('names nothing of another client', async () => {
    const other = await service.tenant()
    const own = await watch(await user())
    const theirs = await watch(await signIn(service, { client_id: other.clientId, role: 'admin' }))
    await emit(other)
    await expect.poll(() => theirs.told).toEqual(['webhooks'])
    expect(own.told).toEqual([])
  })

  test('tells of what another process has changed', async () => {
    const here = await watch(await user())
    const elsewhere = createChanges(service.service, 5)
    const there = await watch(await user(), undefined, elsewhere)
    await emit(tenant)
    await expect.poll(() => [here.told, there.told]).toEqual([['webhooks'], ['webhooks']])
    elsewhere.stop()
  })

  test('is about the lists that the role may look at', async () => {
    const { texts } = await watch(await user('reviewer'))
    await expect.poll(() => texts[0]).toContain('data: ["verifications"]')
  })

  test('ends with its session', async () => {
    const browser = await user()
    const { stream } = await watch(browser)
    const ended = hasEnded(stream)
    await browser.ask('dashboardSessionEnd', {})
    await ended
  })

  test('ends where its user is disabled or gets another role', async () => {
    const admin = await user()
    const developer = await user('developer')
    const { stream } = await watch(developer)
    const ended = hasEnded(stream)
    await admin.ask('dashboardTeamUpdate', { user_id: developer.id, role: 'reviewer' })
    await ended
    const again = await watch(developer)
    const disabled = hasEnded(again.stream)
    await admin.ask('dashboardTeamUpdate', { user_id: developer.id, disabled: true })
    await disabled
  })

  test('ends where nobody reads it', async () => {
    const stream = await changes.open(senderOf(await user()), undefined)
    const ended = hasEnded(stream)
    stream.push('x'.repeat(20_000))
    await ended
  })

  test('ends when the service ends, and no other one begins', async () => {
    const browser = await user()
    const { stream } = await watch(browser)
    const ended = hasEnded(stream)
    changes.stop()
    await ended
    await expect(changes.open(senderOf(browser), undefined)).rejects.toMatchObject({
      code: 'RATE_LIMIT',
    })
  })

  test('is opened four times by a session at once', async () => {
    const browser = await user()
    const streams = []
    for (let count = 0; count < 4; count += 1) streams.push(await watch(browser))
    const fifth = changes.open(senderOf(browser), undefined)
    await expect(fifth).rejects.toMatchObject({ code: 'RATE_LIMIT', status: 429 })
    streams[0]?.stream.destroy()
    await hasEnded(streams[0]?.stream as Readable)
    expect(await watch(browser)).toBeDefined()
  })

  test.each([
    ['another origin', { 'sec-fetch-site': 'cross-site' }, 'FOREIGN_PAGE'],
    ['another port', { 'sec-fetch-site': 'same-site' }, 'FOREIGN_PAGE'],
    ['an old browser', { 'sec-fetch-site': undefined }, 'FOREIGN_PAGE'],
    ['nobody', { cookie: '' }, 'SIGN_IN_REQUIRED'],
  ])('is not opened by %s', async (_, headers, code) => {
    const opened = changes.open(senderOf(await user(), headers), undefined)
    await expect(opened).rejects.toMatchObject({ code })
  })

  test('needs the client from an operator, and takes no other one from a user', async () => {
    const operator = await openLocally(service)
    await expect(changes.open(senderOf(operator), undefined)).rejects.toMatchObject({
      code: 'MISSING_FIELDS',
    })
    const { told } = await watch(operator, tenant.clientId)
    await emit(tenant)
    await expect.poll(() => told).toEqual(['webhooks'])
    const other = await service.tenant()
    const foreign = changes.open(senderOf(await user()), other.clientId)
    await expect(foreign).rejects.toMatchObject({ code: 'ROLE_REQUIRED' })
  })
})

describe('GET /dashboard/api/changes', () => {
  test('sends events, and ends with the service without delay', async () => {
    const own = await startService()
    const { clientId } = await own.tenant()
    const { cookie } = await signIn(own, { client_id: clientId, role: 'admin' })
    const origin = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const address = `${origin}/dashboard/api/changes`
    const answer = await fetch(address, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.headers.get('content-type')).toMatch('text/event-stream')
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('event: open')
    const stranger = await fetch(address, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect([stranger.status, (await stranger.json()).error_code]).toEqual([401, 'SIGN_IN_REQUIRED'])
    const closed = own.close()
    expect((await reader?.read())?.done).toBe(true)
    await closed
  })
})
