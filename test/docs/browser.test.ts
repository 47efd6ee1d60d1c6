import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { guides } from '../../scripts/docs/guides.ts'
import { findChromium } from '../support/browser.ts'
import { testAccessibility } from './accessibility.ts'
import { type Browsing, browse, desktop } from './browsing.ts'
import { testConsole } from './console.ts'
import { testSamples } from './samples.ts'
import { catalogue, read, written } from './site.ts'

const chromium = findChromium('docs in a browser')

describe.skipIf(!chromium)('in a browser', () => {
  let browsing: Browsing
  beforeAll(async () => {
    browsing = await browse(chromium!)
  }, 60_000)
  afterAll(() => browsing?.close())
  afterEach(async () => {
    const problems = browsing.problems.splice(0)
    await browsing.page.evaluate(() => sessionStorage.clear())
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
    expect(await find('response.accounts.balances.available')).toMatch(/#response\.accounts\./)
    expect(await find('client_id')).toMatch(/guides|glossary/)
  })

  test('a link to a nested field opens what hides it', async () => {
    await browsing.open('operations/accountsGet#response.accounts.balances.available')
    const field = browsing.page.locator('[id="response.accounts.balances.available"]')
    await expect.poll(() => field.isVisible()).toBe(true)
    await expect.poll(() => field.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('the search finds guides first, knows other words for our terms, and shows texts', async () => {
    const { page } = browsing
    await browsing.open('')
    const guides: Record<string, string> = {
      authentication: 'credentials-and-tokens',
      auth: 'credentials-and-tokens',
      polling: 'keep-a-copy',
      webhooks: 'receive-webhooks',
    }
    for (const [words, guide] of Object.entries(guides)) {
      expect([words, await find(words)]).toEqual([words, expect.stringContaining(`/${guide}/`)])
    }
    expect(await find('idempotency')).toMatch(/guides|glossary/)
    await page.keyboard.press('Control+k')
    await page.fill('.VPLocalSearchBox input', 'polling')
    await page.locator('.VPLocalSearchBox .result .found-text').first().waitFor()
    await page.keyboard.press('Escape')
  })

  test('the documentation URL of an error opens the page of that error', async () => {
    const response = await fetch(`${browsing.origin}/accounts/none`, { method: 'POST' })
    const { documentation_url: address, error_code: code } = await response.json()
    const { pathname, hash } = new URL(address)
    await browsing.page.goto(browsing.origin + pathname + hash)
    await browsing.page.waitForURL(`${browsing.origin}/docs/errors/${code}/`)
    await browsing.page.locator(`h1[id="${code}"]`).waitFor()
  })

  test('the documentation URL of a code with several meanings leads to all of them', async () => {
    const codes = Map.groupBy(catalogue, ([, { value }]) => value['error_code'])
    const [shared] = [...codes].find(([code, entries]) => code && entries.length > 1)!
    await browsing.open(`errors/#${shared}`)
    const heading = browsing.page.locator(`h3[id="${shared}"]`)
    await expect.poll(() => heading.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('an address that leads nowhere offers a search for its words', async () => {
    const { page, problems } = browsing
    await browsing.open('guide/wallet-create')
    await page.getByRole('button', { name: 'Search for “guide wallet create”' }).click()
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    await page.keyboard.press('Escape')
    // Chromium reports the status of the page itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 404')])
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
    // Only the three scripts of the site itself: for dark mode, the keyboard and samples.
    expect(policy.match(/script-src [^;]*/)?.[0].match(/sha256-/g)).toHaveLength(3)
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
  testSamples(() => browsing)
  testAccessibility(() => browsing)
})
