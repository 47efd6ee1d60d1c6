import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { linkScriptFile } from '../../src/server/kernel/files.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'

test('the script has at most 3 kB', () => {
  expect(gzipSync(readFileSync(linkScriptFile)).length).toBeLessThanOrEqual(3000)
})

const chromium = findChromium('the script for pages in a browser')
const ours = 'http://lender.localhost:3999'
const foreign = 'http://other.localhost:3999'

describe.skipIf(!chromium)('the script for pages', () => {
  let service: TestService & { client: Tenant }
  let origin = ''
  let browser: Browser
  let context: BrowserContext
  beforeAll(async () => {
    service = await startWorld({ publicUrl: () => origin })
    origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser(chromium!, ['--disable-features=LocalNetworkAccessChecks'])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    const body = `<button>Connect</button><script src="${origin}/link/v1/link.js"></script>`
    await context.route(/localhost:3999/, (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    )
  })
  afterEach(() => context.close())

  type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]
  const create = (changes: Partial<Request> = {}) =>
    service.client.api
      .linkTokenCreate({
        client_name: 'Larkspur Lending',
        language: 'en',
        country_codes: ['US'],
        user: { client_user_id: 'borrower-7f3a' },
        products: ['transactions'],
        institution_id: 'ins_109508',
        hosted_link: { completion_redirect_uri: `${ours}/linked` },
        ...changes,
      })
      .orThrow()

  /** A page of an application, on which a button opens the pages. */
  async function openFrom(at: string, changes: Partial<Request> = {}) {
    const { link_token, hosted_link_url } = await create(changes)
    const page = await context.newPage()
    await page.goto(at)
    await page.evaluate(prepare, { token: link_token, url: hosted_link_url })
    const [pages] = await Promise.all([context.waitForEvent('page'), page.click('button')])
    await pages.waitForLoadState()
    return { page, pages, link_token }
  }

  const calls = (page: Page) => page.evaluate<unknown[][]>('calls')

  async function logIn(pages: Page, username = 'user_good'): Promise<void> {
    await pages.click('main form button')
    await pages.fill('#username', username)
    await pages.fill('#password', 'any')
    await pages.click('main form button')
    await pages.waitForLoadState()
  }

  test('tells of events, gives the public token, and closes the window', async () => {
    const { page, pages, link_token } = await openFrom(ours)
    await logIn(pages)
    await pages.check('input[type=checkbox] >> nth=0')
    await Promise.all([pages.waitForEvent('close'), pages.click('main form button')])
    const names = (await calls(page)).map(([name, first]) => (name === 'onEvent' ? first : name))
    expect(names).toEqual([
      'OPEN',
      'SELECT_INSTITUTION',
      'SUBMIT_CREDENTIALS',
      'HANDOFF',
      'onSuccess',
    ])
    const [, public_token, metadata] = (await calls(page)).at(-1)!
    expect(metadata).toMatchObject({ institution: { institution_id: 'ins_109508' } })
    const { link_sessions } = await service.client.api.linkTokenGet({ link_token }).orThrow()
    expect(link_sessions[0]?.results?.item_add_results[0]?.public_token).toBe(public_token)
    await service.client.api
      .itemPublicTokenExchange({ public_token: String(public_token) })
      .orThrow()
  })

  test('tells why the user left, and that the window was closed', async () => {
    const { page, pages } = await openFrom(ours)
    await logIn(pages, 'user_locked')
    await pages.click('.ways li:last-child a')
    await Promise.all([pages.waitForEvent('close'), pages.click('main form button')])
    const [name, error] = (await calls(page)).at(-1)!
    expect([name, error]).toEqual([
      'onExit',
      expect.objectContaining({ error_code: 'ITEM_LOCKED' }),
    ])
    const closed = await openFrom(ours)
    await closed.pages.close()
    await expect
      .poll(async () => (await calls(closed.page)).at(-1)?.slice(0, 2))
      .toEqual(['onExit', null])
  })

  test('closes the window for exit and destroy, and calls onExit for one of them', async () => {
    const left = await openFrom(ours)
    await Promise.all([left.pages.waitForEvent('close'), left.page.evaluate('handler.exit()')])
    expect((await calls(left.page)).at(-1)?.slice(0, 2)).toEqual(['onExit', null])
    const gone = await openFrom(ours)
    await Promise.all([gone.pages.waitForEvent('close'), gone.page.evaluate('handler.destroy()')])
    expect((await calls(gone.page)).filter(([name]) => name === 'onExit')).toEqual([])
  })

  test.each([
    ['a page of another origin', foreign, {}],
    ['an application with a scheme of its own', ours, { completion_redirect_uri: 'lark:/linked' }],
    ['a link token that names no origin', ours, {}],
  ])('tells nothing to %s', async (kind, at, hosted_link) => {
    const named = kind.startsWith('a page') ? { completion_redirect_uri: ours } : hosted_link
    const { page, pages } = await openFrom(at, { hosted_link: named })
    await logIn(pages)
    await pages.check('input[type=checkbox] >> nth=0')
    await pages.click('main form button')
    await pages.waitForURL(/done$/)
    expect(await calls(page)).toEqual([])
  })

  test('goes to the pages itself where windows are blocked', async () => {
    const { link_token, hosted_link_url } = await create()
    const page = await context.newPage()
    await page.goto(ours)
    await page.evaluate(prepare, { token: link_token, url: hosted_link_url })
    await page.evaluate('window.open = () => null')
    await Promise.all([page.waitForURL(/consent$/), page.click('button')])
  })
})

/** Runs in the page of the application. */
function prepare({ token, url }: { token: string; url: string }): void {
  const calls: unknown[][] = []
  const note =
    (name: string) =>
    (...given: unknown[]) =>
      calls.push([name, ...given])
  const { createLink } = globalThis as unknown as {
    createLink(options: object): { open(): void }
  }
  const options = { token, url, onSuccess: note('onSuccess'), onExit: note('onExit') }
  const handler = createLink({ ...options, onEvent: note('onEvent') })
  Object.assign(window, { calls, handler })
  document.querySelector('button')?.addEventListener('click', () => handler.open())
}
