import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toMessage } from '../../src/server/hosted/message-page.ts'
import { inLanguage } from '../../src/server/hosted/texts/in-language.ts'
import { messages as inGerman } from '../../src/server/hosted/texts/messages-de.ts'
import { messages } from '../../src/server/hosted/texts/messages-en.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { listServer, loopbackSettings } from '../support/connected.ts'
import { check, go, openPage, pairs, tabTo, type } from '../support/hosted-browser.ts'
import { linkRequest } from '../support/link-visitor.ts'
import { startService, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { account, row } from '../support/simplefin-ground.ts'
import { type SimplefinServer, startSimplefin } from '../support/simplefin-server.ts'

// The pages of connectors that ask another server, and the messages, in Chromium by keyboard only.

const chromium = findChromium('the pages of sources in a browser')

let browser: Browser
let service: TestService
let tenant: Tenant
let origin = ''
beforeAll(async () => {
  if (chromium) browser = await launchBrowser(chromium)
})
afterAll(() => browser?.close())

type Changes = Partial<Parameters<Tenant['api']['linkTokenCreate']>[0]>

async function create(changes: Changes = {}) {
  return tenant.api.linkTokenCreate({ ...linkRequest, ...changes }).orThrow()
}

/** A link token that repairs an Item. */
async function createUpdate(access_token: string, language: 'de' | 'en' = 'en') {
  const { products: _, ...request } = linkRequest
  return tenant.api.linkTokenCreate({ ...request, language, access_token }).orThrow()
}

async function exchange(link_token: string) {
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  const [added] = link_sessions[0]?.results?.item_add_results ?? []
  return tenant.api.itemPublicTokenExchange({ public_token: added?.public_token ?? '' }).orThrow()
}

const enter = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])

const errorOf = (page: Page) => page.locator('.errors li').innerText()

describe.skipIf(!chromium)('the pages of SimpleFIN', () => {
  let server: SimplefinServer
  let now = 0
  beforeAll(async () => {
    const clock = () => now
    now = Date.parse('2026-03-16T12:00:00Z')
    const parts = { settings: loopbackSettings, checkAnswer: undefined, publicUrl: () => origin }
    service = await startService({ clock, ...parts })
    origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
    server = await startSimplefin(clock)
    await listServer(service, server)
  })
  afterAll(async () => {
    await service.close()
    await server.close()
  })
  beforeEach(async () => {
    tenant = await service.tenant()
    server.accounts = [account()]
    server.errors = []
    server.mishaps = []
  })

  const pull = async (itemId: string) => {
    now += 6 * 3_600_000
    await service.service.runner.pull(tenant.clientId, itemId)
  }

  async function send(page: Page, token: string): Promise<void> {
    await type(page, '#setup_token', token)
    await enter(page)
  }

  test.each(pairs)('are walked by keyboard, and break no rule: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const { link_token, hosted_link_url } = await create()
    await page.goto(hosted_link_url)
    await check(page, kind, /^Connect your accounts/)
    await go(page, 'main form button')
    await check(page, kind, /^Choose your institution/)
    await go(page, 'button.choice')
    await check(page, kind, /^Connect to SimpleFIN/)
    await go(page, 'main form button')
    await check(page, kind, /^Connect to SimpleFIN/)
    const foreign = Buffer.from('https://other.example.com/claim/1').toString('base64')
    for (const [token, words] of [
      ['no token', /not a setup token/],
      [foreign, /a server that this page does not work with/],
    ] as const) {
      await send(page, token)
      await check(page, kind, /^Connect to SimpleFIN/)
      expect(await errorOf(page)).toMatch(words)
    }
    server.mishaps = [{ status: 503 }, { status: 402 }]
    await send(page, server.newToken())
    for (const words of [/does not answer/, /such as a payment/]) {
      await check(page, kind, /^Connect to SimpleFIN/)
      expect(await page.locator('main').innerText()).toMatch(words)
      now += 5000
      await go(page, '#main')
    }
    await check(page, kind, /^About your account/)
    await go(page, 'main form button')
    await check(page, kind, /^About your account/)
    await tabTo(page, '#kind-0')
    await page.keyboard.type('Ch')
    await go(page, 'main form button')
    await check(page, kind, /^Choose the accounts/)
    await go(page, 'main form button')
    await check(page, kind, /^Your accounts are connected/)

    const { access_token, item_id } = await exchange(link_token)
    server.accounts.push(
      account({ id: 'ACT-2', name: 'Rainy days', rows: [row('S1', '2026-03-12')] }),
    )
    server.errors = [{ code: 'con.auth', msg: 'Log in at Tide Bank again', conn_id: 'C1' }]
    await pull(item_id)
    await page.goto((await createUpdate(access_token)).hosted_link_url)
    await check(page, kind, /^Update your connection to SimpleFIN/)
    expect(await page.locator('blockquote').allInnerTexts()).toEqual(['Log in at Tide Bank again'])
    server.errors = [{ code: 'gen.notice', msg: 'Maintenance on Sunday' }]
    now += 5000
    await go(page, '#main')
    await check(page, kind, /^About your account/)
    await tabTo(page, 'select')
    await page.keyboard.type('Sa')
    await go(page, 'main form button')
    await check(page, kind, /^Choose the accounts/)
    expect(await page.locator('blockquote').allInnerTexts()).toEqual(['Maintenance on Sunday'])
    await tabTo(page, 'input[type=checkbox]')
    if (!(await page.isChecked('input[type=checkbox]'))) await page.keyboard.press('Space')
    await go(page, 'main form button')
    await check(page, kind, /^Your connection is up to date/)
    await close()
    expect(problems).toEqual([])
  })

  test.each(pairs)('say why the old access ended, in German: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const { link_token, hosted_link_url } = await create({
      language: 'de',
      institution_id: 'ins_100001',
    })
    await page.goto(hosted_link_url)
    await check(page, kind, /^Ihre Konten/)
    await go(page, 'main form button')
    await check(page, kind, /^Mit SimpleFIN verbinden/)
    await send(page, server.newToken())
    await check(page, kind, /^Zu Ihrem Konto/)
    await tabTo(page, '#kind-0')
    await page.keyboard.type('Gi')
    await go(page, 'main form button')
    await check(page, kind, /^Wählen Sie die Konten/)
    await go(page, 'main form button')
    await check(page, kind, /^Ihre Konten sind verbunden/)
    const { access_token, item_id } = await exchange(link_token)
    await pull(item_id)
    server.revoke()
    await page.goto((await createUpdate(access_token, 'de')).hosted_link_url)
    now += 5000
    await go(page, '#main')
    await check(page, kind, /^Erneut mit SimpleFIN verbinden/)
    await send(page, server.newToken())
    await check(page, kind, /^Prüfen Sie Ihre Konten/)
    await go(page, 'main form button')
    await check(page, kind, /^Ihre Verbindung ist auf dem neuesten Stand/)
    await close()
    expect(problems).toEqual([])
  })
})

describe.skipIf(!chromium)('in the sandbox', () => {
  beforeAll(async () => {
    const started = await startWorld({ publicUrl: () => origin })
    service = started
    tenant = started.client
    origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => service?.close())

  test.each(pairs)('the website of a bank is walked by keyboard: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const { hosted_link_url } = await create({ institution_id: 'ins_900011' })
    await page.goto(hosted_link_url)
    await go(page, 'main form button')
    const answers = [
      ['button[value=access_denied]', /You decided at your institution/],
      ['button[value=server_error]', /could not do this now/],
    ] as const
    for (const [answer, words] of answers) {
      await check(page, kind, /^Connect to Quillon/)
      await go(page, '#main')
      await check(page, kind, /^Connect to Quillon/)
      await go(page, '#main')
      await check(page, kind, /^An invented bank/)
      await go(page, answer)
      expect(await errorOf(page)).toMatch(words)
    }
    await check(page, kind, /^Connect to Quillon/)
    await go(page, '#main')
    await go(page, '#main')
    const website = page.url()
    await go(page, 'button[value=app]')
    await check(page, kind, /^Connect to Quillon/)
    await go(page, '#main')
    await check(page, kind, /^Choose the accounts/)
    await page.goto(website)
    await go(page, 'button[value=allowed]')
    await check(page, kind, /^This page was already used/)
    await page.goto(`${origin}/hosted/link/return`)
    await check(page, kind, /^This address is not complete/)
    await close()
    expect(problems).toEqual([])
  })

  test.each(pairs)('an Item is repaired by keyboard: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const { link_token, hosted_link_url } = await create({ institution_id: 'ins_109508' })
    await page.goto(hosted_link_url)
    await go(page, 'main form button')
    const logIn = async (username: string) => {
      await type(page, '#username', username)
      await type(page, '#password', 'any')
      await enter(page)
    }
    await logIn('user_good')
    await tabTo(page, 'input[type=checkbox]')
    await page.keyboard.press('Space')
    await go(page, 'main form button')
    const { access_token } = await exchange(link_token)
    await tenant.control('sandboxItemResetLogin', { access_token })
    await page.goto((await createUpdate(access_token)).hosted_link_url)
    await check(page, kind, /^Log in again at/)
    await logIn('user_bad')
    await check(page, kind, /^Log in again at/)
    await go(page, '.ways li:last-child a')
    await check(page, kind, /^Do you want to leave/)
    await go(page, 'main p a.button')
    await logIn('user_good')
    await check(page, kind, /^Your connection works again/)
    expect((await tenant.api.itemGet({ access_token }).orThrow()).item.error).toBeNull()
    await close()
    expect(problems).toEqual([])
  })

  test.each(pairs)('each message breaks no rule: %o', async (kind) => {
    const { page, close } = await openPage(browser, origin, kind)
    const name = 'Larkspur & Lending'
    const isGerman = kind.colorScheme === 'dark'
    const all = isGerman ? listOf(inGerman, 'de') : listOf(messages, 'en')
    expect(all.length).toBeGreaterThan(15)
    for (const { html } of all) {
      await page.route(`${origin}/message`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      )
      await page.goto(`${origin}/message`)
      await check(page, kind, /./)
      await page.unroute(`${origin}/message`)
    }
    await close()

    function listOf(of: typeof messages | typeof inGerman, language: 'en' | 'de') {
      return Object.values(of).map(({ title, text }) => {
        const words = { title, text: typeof text === 'string' ? text : text(name) }
        const frame = { texts: inLanguage(language), isSandbox: true }
        const runBy = { host: 'pages.example.com', client: name }
        return toMessage(200, words, { ...frame, runBy }) as { html: string }
      })
    }
  })
})
