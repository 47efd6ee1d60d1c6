import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { guides } from '../../scripts/docs/guides.ts'
import { findChromium } from '../support/browser.ts'
import { testAccessibility } from './accessibility.ts'
import { type Browsing, browse, desktop } from './browsing.ts'
import { testConsole } from './console.ts'
import { read, written } from './site.ts'

const chromium = findChromium('docs in a browser')

describe.skipIf(!chromium)('in a browser', () => {
  let browsing: Browsing
  beforeAll(async () => {
    browsing = await browse(chromium!)
  }, 60_000)
  afterAll(() => browsing?.close())
  afterEach(async () => {
    const problems = browsing.problems.splice(0)
    await browsing.page.setViewportSize(desktop)
    expect(problems).toEqual([])
  })

  /** What the search finds first. */
  const find = async (words: string): Promise<string | null> => {
    const { page } = browsing
    await page.keyboard.press('Control+k')
    const results = page.locator('.VPLocalSearchBox .result')
    await page.fill('.VPLocalSearchBox input', '')
    await results.first().waitFor({ state: 'detached' })
    await page.fill('.VPLocalSearchBox input', words)
    await results.first().waitFor()
    const href = await results.first().getAttribute('href')
    await page.keyboard.press('Escape')
    return href
  }

  const sidebarLinks = async (path: string): Promise<(string | null)[]> => {
    await browsing.open(path)
    const links = browsing.page.locator('.VPSidebar a')
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  }

  test('the navigation lists every guide, every operation and every sandbox endpoint', async () => {
    const own = guides().map(({ path }) => `/docs/${path}`)
    const listed = await sidebarLinks('')
    expect(listed.filter((href) => own.includes(href!))).toEqual(own)
    for (const area of ['operations', 'sandbox']) {
      const pages = written.filter((entry) => entry.area === area)
      const hrefs = pages.map(({ operation }) => `/docs/${area}/${operation.operationId}/`)
      expect(await sidebarLinks(`${area}/`)).toEqual(expect.arrayContaining(hrefs))
    }
  })

  test('the search finds an operation, a chapter of a guide, an error and a field', async () => {
    await browsing.open('')
    const sync = '/docs/operations/transactionsSync/'
    expect(await find('/transactions/sync')).toBe(sync)
    expect(await find('transactionsSync')).toBe(sync)
    expect(await find('sync transactions')).toBe(sync)
    expect(await find('/sandbox/clock/advance')).toBe('/docs/sandbox/sandboxClockAdvance/')
    expect(await find('errors on demand')).toBe('/docs/guides/test-with-it/#errors-on-demand')
    expect(await find('ITEM_LOGIN_REQUIRED')).toBe('/docs/errors/ITEM_LOGIN_REQUIRED/')
    expect(await find('include_original_description')).toMatch(
      /#request\.options\.include_original_description$/,
    )
  })

  test('a link to a nested field opens what hides it', async () => {
    await browsing.open('operations/accountsGet#response.accounts.balances.available')
    const field = browsing.page.locator('[id="response.accounts.balances.available"]')
    await expect.poll(() => field.isVisible()).toBe(true)
    await expect.poll(() => field.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('the documentation URL of an error leads to it', async () => {
    const response = await fetch(`${browsing.origin}/accounts/get`, { method: 'POST', body: '{' })
    const { documentation_url: address } = await response.json()
    const { pathname, hash } = new URL(address)
    await browsing.open(pathname.replace('/docs/', '') + hash)
    const row = browsing.page.locator(`[id="${hash.slice(1)}"]`)
    await expect.poll(() => row.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('the page can be taken along as Markdown', async () => {
    const { page, origin } = browsing
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await browsing.open('errors/ITEM_LOCKED/')
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(read('errors/ITEM_LOCKED.md'))
    const link = page.getByRole('link', { name: 'View as Markdown' })
    expect(await link.getAttribute('href')).toBe('/docs/errors/ITEM_LOCKED.md')
  })

  test('no page may be shown in a frame, run foreign scripts or load from elsewhere', async () => {
    const { headers } = await fetch(`${browsing.origin}/docs/operations/accountsGet/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
    )
    // Only the two scripts of the site itself.
    expect(policy.match(/script-src [^;]*/)?.[0].match(/sha256-/g)).toHaveLength(2)
    expect(policy).not.toMatch(/script-src [^;]*unsafe-inline/)
    await browsing.open('')
    const hasRun = await browsing.page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hasRun = true'
      document.body.append(script)
      const frame = document.createElement('iframe')
      frame.src = '/docs/errors/'
      document.body.append(frame)
      return 'hasRun' in window
    })
    expect(hasRun).toBe(false)
    await expect.poll(() => browsing.problems.length).toBeGreaterThanOrEqual(2)
    const problems = browsing.problems.splice(0).join(' ')
    expect(problems).toContain('script-src')
    expect(problems).toContain('frame')
  })

  test('dark mode can be switched on', async () => {
    await browsing.open('')
    const { page } = browsing
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    expect(await isDark()).toBe(false)
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
    expect(await isDark()).toBe(true)
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
  })

  testConsole(() => browsing)
  testAccessibility(() => browsing)
})
