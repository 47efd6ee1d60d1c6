import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { judgePage, kinds } from '../support/judge-page.ts'
import { type Dashboard, openDashboard } from './browsing.ts'

// Every page of the dashboard in both themes, on a wide and on the narrowest screen.

const chromium = findChromium('every page of the dashboard in a browser')

/** A list and the first object in it, or a page of its own, with its name. */
const pages: [path: string, name: string, isList: boolean][] = [
  ['/', 'Overview', false],
  ['/requests', 'Requests', true],
  ['/items', 'Items', true],
  ['/webhooks', 'Webhooks', true],
  ['/team', 'Team', false],
  ['/data/reports', 'Reports', true],
  ['/data/wallets', 'Wallets', true],
  ['/data/transfers', 'Transfers', true],
  ['/data/users', 'Users', true],
  ['/data/institutions', 'Institutions', true],
  ['/audit', 'Audit', true],
  ['/requests?operation=none', 'Requests', false],
  ['/webhooks?code=NONE', 'Webhooks', false],
  ['/items/none', 'Item', false],
  ['/data/transfers/none', 'Transfer', false],
  ['/data/institutions?name=none', 'Institutions', false],
  ['/none', 'Page not found', false],
  ['/sign-in?out=1', 'Sign in', false],
]

describe.skipIf(!chromium)('the pages of the dashboard', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
    const { page, go, close } = await dashboard.open()
    // What the audit log tells of.
    await go('/webhooks')
    await page.getByRole('link', { name: 'SYNC_UPDATES_AVAILABLE' }).first().click()
    for (let row = 0; row < 3; row += 1) {
      await page.getByRole('button', { name: 'Send again' }).click()
      await page.getByRole('status').getByText('was delivered').nth(row).waitFor()
    }
    await close()
  })
  afterAll(() => dashboard?.close())

  test.each(kinds)(
    'break no rule of axe, and fit: %o',
    async ({ colorScheme, width }) => {
      const viewport = { width, height: 800 }
      const { page, problems, go, close } = await dashboard.open({ colorScheme, viewport })
      const judged: unknown[] = []
      for (const [path, name, isList] of pages) {
        await go(path)
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
        judged.push(...(await judgePage(page, width)))
        if (!isList) continue
        const rows = page.getByRole('table').getByRole('row')
        expect([path, await rows.count()]).toEqual([path, expect.toSatisfy((count) => count > 3)])
        // A link with a query filters the same list.
        const link = page.locator('tbody a:not([href*="?"])').first()
        if ((await link.count()) === 0) continue
        await link.click()
        await page
          .getByRole('heading', { level: 1, name, exact: true })
          .waitFor({ state: 'detached' })
        await page.locator('main:not(:has(.loading))').waitFor()
        judged.push(...(await judgePage(page, width)))
      }
      await close()
      expect(judged).toEqual([])
      expect(problems).toEqual([])
    },
    180_000,
  )

  test.each(kinds)('open dialogs that break no rule: %o', async ({ colorScheme, width }) => {
    const viewport = { width, height: 800 }
    const { page, problems, go, close } = await dashboard.open({ colorScheme, viewport })
    await go('/requests?outcome=failed')
    await page.locator('tbody a').first().click()
    const button = page.getByRole('button', { name: 'Send again' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    const judged = await judgePage(page, width)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await button.evaluate((at) => at === document.activeElement)).toBe(true)
    await close()
    expect([judged, problems]).toEqual([[], []])
  })

  test('are walked by keyboard: every stop can be seen, and has a name', async () => {
    const { page, go, close } = await dashboard.open()
    await go('/webhooks')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Skip to/)
    const stops: { name: string; outline: number }[] = []
    for (let stop = 0; stop < 20; stop += 1) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(describeFocus)
      if (!at) break
      stops.push(at)
    }
    expect(stops.length).toBeGreaterThan(10)
    expect(stops.filter(({ name, outline }) => name === '' || outline < 2)).toEqual([])
    await close()
  })

  test('open a menu on a narrow screen, which is left out while it is closed', async () => {
    const { page, go, close } = await dashboard.open({ viewport: { width: 320, height: 640 } })
    await go('/items')
    const link = page.getByRole('link', { name: 'Webhooks', exact: true })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await judgePage(page, 320)).toEqual([])
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(await link.isVisible()).toBe(false)
    await close()
  })
})

/** What has the focus, and how wide its outline is; undefined at the end of the page. */
function describeFocus(): { name: string; outline: number } | undefined {
  const at = document.activeElement
  if (!(at instanceof HTMLElement) || at === document.body) return undefined
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const label = (at as HTMLInputElement).labels?.[0]?.textContent ?? ''
  return {
    name: (at.getAttribute('aria-label') ?? '') + label + at.innerText,
    outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
  }
}
