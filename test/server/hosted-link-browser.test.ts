import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { check, go, kinds, openPage, tabTo, type } from '../support/hosted-browser.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'

const chromium = findChromium('the hosted pages in a browser')

let service: TestService & { client: Tenant }
let origin = ''
let browser: Browser
beforeAll(async () => {
  if (!chromium) return
  service = await startWorld({ publicUrl: () => origin })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser(chromium)
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]

async function create(changes: Partial<Request> = {}) {
  const made = await service.client.api
    .linkTokenCreate({
      client_name: 'Larkspur Lending',
      language: 'en',
      country_codes: ['US'],
      user: { client_user_id: 'borrower-7f3a' },
      products: ['transactions'],
      optional_products: ['identity', 'liabilities'],
      ...changes,
    })
    .orThrow()
  return made
}

async function logIn(page: Page, username: string): Promise<void> {
  await type(page, '#username', username)
  await type(page, '#password', 'any')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}

describe.skipIf(!chromium)('the hosted pages in Chromium', () => {
  test.each(kinds)('are walked by keyboard, and break no rule: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const completion_redirect_uri = `${origin}/livez`
    const { link_token, hosted_link_url } = await create({
      hosted_link: { completion_redirect_uri },
    })
    await page.goto(hosted_link_url)
    expect(page.url()).toMatch(/\/session\/[\w-]+\/consent$/)
    await check(page, kind, /^Connect your accounts/)
    await go(page, 'main form button')
    await check(page, kind, /^Choose your institution/)
    await type(page, '#q', 'nothing of this name')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await check(page, kind, /^Choose your institution/)
    await type(page, '#q', 'tidewater lantern')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await check(page, kind, /^Choose your institution/)
    await go(page, 'button.choice')
    await check(page, kind, /^Log in at Tidewater Lantern Bank/)
    await go(page, 'main form button')
    await check(page, kind, /^Log in at/)
    await go(page, '.errors a')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('username')
    for (const username of ['user_bad', 'user_locked', 'user_expired']) {
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await logIn(page, username)
      await check(page, kind, /^Log in at/)
    }
    await logIn(page, 'user_mfa')
    await check(page, kind, /^Enter the one-time code/)
    await type(page, '#one-time-code', '1')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await check(page, kind, /^Enter the one-time code/)
    await type(page, '#one-time-code', '123456')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await check(page, kind, /^Choose the accounts/)
    await go(page, 'main form button')
    await check(page, kind, /^Choose the accounts/)
    await go(page, '.ways li:last-child a')
    await check(page, kind, /^Do you want to leave/)
    await go(page, 'main p a.button')
    await page.goBack()
    await check(page, kind, /^Do you want to leave/)
    await page.goForward()
    await check(page, kind, /^Choose the accounts/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await tabTo(page, 'input[type=checkbox]')
    await page.keyboard.press('Space')
    await go(page, 'main form button')
    await check(page, kind, /^Your accounts are connected/)
    await tabTo(other, 'input[type=checkbox]')
    await other.keyboard.press('Space')
    await go(other, 'main form button')
    await check(other, kind, /^Your accounts are connected/)
    await go(page, 'a.button')
    expect(page.url()).toBe(completion_redirect_uri)
    await page.goto(hosted_link_url)
    await check(page, kind, /^This link has been used/)
    await close()
    expect(problems).toEqual([])
    const { link_sessions } = await service.client.api.linkTokenGet({ link_token }).orThrow()
    const results = link_sessions.map((session) => session.results?.item_add_results.length)
    expect(results).toEqual([1])
  })

  test.each(kinds)('say what to do where there is no way on: %o', async (kind) => {
    const first = await openPage(browser, origin, kind)
    const { hosted_link_url } = await create({ institution_id: 'ins_109508', language: 'de' })
    await first.page.goto(hosted_link_url)
    await check(first.page, kind, /^Ihre Konten/)
    const stale = await first.page.context().newPage()
    await stale.goto(first.page.url())
    await go(first.page, 'main form button')
    await check(first.page, kind, /^Anmelden bei/)
    await go(stale, 'main form button')
    await check(stale, kind, /^Diese Seite ist veraltet/)
    const second = await openPage(browser, origin, kind)
    await second.page.goto(first.page.url())
    await check(second.page, kind, /^This connection goes on in another browser/)
    await second.page.goto(hosted_link_url)
    await check(second.page, kind, /^Dieser Link ist in einem anderen Browser offen/)
    await go(second.page, 'main form button')
    await check(second.page, kind, /^Ihre Konten/)
    await first.page.reload()
    await check(first.page, kind, /^Sie haben in einem anderen Browser weitergemacht/)
    await second.page.goto(`${hosted_link_url}0`)
    await check(second.page, kind, /^This link does not work/)
    await first.close()
    await second.close()
    expect([...first.problems, ...second.problems]).toEqual([])
  })

  test('ask nobody to send a rejected form again who goes back', async () => {
    const { page, close } = await openPage(browser, origin, kinds[0]!)
    const { hosted_link_url } = await create({ institution_id: 'ins_109508' })
    await page.goto(hosted_link_url)
    await go(page, 'main form button')
    await logIn(page, 'user_bad')
    expect(await page.inputValue('#username')).toBe('user_bad')
    await logIn(page, 'user_good')
    // Chromium shows an error of its own in place of a page whose form it would have to send again.
    await page.goBack()
    expect(await page.locator('h1').innerText()).toMatch(/^Log in at/)
    expect(await page.locator('.errors').count()).toBe(0)
    await page.goForward()
    expect(await page.locator('h1').innerText()).toMatch(/^Choose the accounts/)
    await close()
  })

  test('are shown in no frame', async () => {
    const { page, close } = await openPage(browser, origin, kinds[0]!)
    const { hosted_link_url } = await create()
    await page.goto(`${origin}/docs/`)
    await page.setContent(`<iframe src="${hosted_link_url}"></iframe>`)
    await expect
      .poll(() => page.frames().map((frame) => frame.url()))
      .toContain('chrome-error://chromewebdata/')
    await close()
  })
})
