import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { guides } from '../../scripts/docs/guides.ts'
import { violations } from '../support/axe.ts'
import { type Browsing, desktop, phone } from './browsing.ts'

/** A page of each kind; the first ones are looked at by every run. */
const kinds = [
  '',
  'operations/walletCreate/',
  'errors/TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION/',
  'guides/quick-start/',
  'overview/',
  'operations/',
  'webhooks/',
  'webhooks/ASSETS.ERROR/',
  'sandbox/',
  'sandbox/sandboxItemSetHealth/',
  'errors/',
  'versions/',
  'versions/2018-05-22-to-2019-05-29/',
  'changelog/',
  'glossary/',
  'speed/',
  'trust/',
  ...guides().flatMap(({ path }) => (path === 'guides/quick-start/' ? [] : [path])),
]
const few = 4

/** Dark mode changes nothing but colors. */
async function violationsInTheDark(page: Page): Promise<string[]> {
  const setDark = (dark: boolean) => document.documentElement.classList.toggle('dark', dark)
  await page.evaluate(setDark, true)
  const found = await violations(page, { runOnly: ['color-contrast'] })
  await page.evaluate(setDark, false)
  return found
}

const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })

/** A page breaks no rule of axe, in light and dark, and is no wider than the narrowest phone. */
function testPages(browsing: () => Browsing, paths: readonly string[]): void {
  test.each(paths)('/docs/%s breaks no rule of axe, and fits the narrowest phone', async (path) => {
    const { page, open } = browsing()
    await open(path)
    await openAll(page)
    expect(await violations(page)).toEqual([])
    expect(await violationsInTheDark(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.setViewportSize(desktop)
  })
}

/** Tests a page of each kind that `testAccessibility` leaves. */
export const testOtherPages = (browsing: () => Browsing): void =>
  testPages(browsing, kinds.slice(few))

/** Tests for readers with low vision, without a mouse, or on a small screen. */
export function testAccessibility(browsing: () => Browsing): void {
  describe('for every reader', () => {
    testPages(browsing, kinds.slice(0, few))

    test('an open console, the search and the menus break no rule of axe', async () => {
      const { page, open } = browsing()
      await open('operations/walletGet/')
      await page.getByRole('button', { name: 'Open the console' }).click()
      await page.locator('.console button[type=submit]').click()
      await page.getByLabel('Body of the answer').waitFor()
      expect(await violations(page)).toEqual([])
      expect(await violationsInTheDark(page)).toEqual([])
      await page.keyboard.press('Control+k')
      await page.fill('.VPLocalSearchBox input', 'wallet')
      await page.locator('.VPLocalSearchBox .result').first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.setViewportSize(phone)
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'mobile navigation' }).click()
      expect(await violations(page)).toEqual([])
    }, 60_000)

    test('nothing moves for readers who prefer reduced motion', async () => {
      const { page, open } = browsing()
      await open('')
      const longest = await page.evaluate(() => {
        const styles = [...document.querySelectorAll('*')].map((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element)
          return `${transitionDuration},${animationDuration}`
        })
        return Math.max(...styles.flatMap((list) => list.split(',').map(Number.parseFloat)))
      })
      // The theme lets animations end at once instead of leaving them out.
      expect(longest).toBeLessThanOrEqual(0.001)
    })
  })

  describe('by keyboard', () => {
    test('the first stop skips the navigation', async () => {
      const { page, open } = browsing()
      await open('operations/walletGet/')
      await page.keyboard.press('Tab')
      const words = await page.evaluate(() => document.activeElement?.textContent)
      expect(words).toMatch(/^\s*Skip to/)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      const inContent = () => document.activeElement?.closest('#VPContent .VPDoc') !== null
      expect(await page.evaluate(inContent)).toBe(true)
    })

    test('every stop can be seen, and has a name', async () => {
      const { page, open } = browsing()
      await open('operations/walletGet/')
      const stops: { name: string; seen: boolean }[] = []
      for (let stop = 0; stop < 400; stop++) {
        await page.keyboard.press('Tab')
        const at = await page.evaluate(describeFocus)
        if (!at) break
        stops.push(at)
      }
      expect(stops.length).toBeGreaterThan(50)
      expect(stops.filter(({ name, seen }) => !seen || name === '')).toEqual([])
    })

    test('the console is filled in and sent', async () => {
      const { page, open } = browsing()
      await open('operations/walletGet/')
      await page.getByRole('button', { name: 'Open the console' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Base address').waitFor()
      await page.keyboard.press('Tab')
      const label = () => (document.activeElement as HTMLInputElement).labels?.[0]?.innerText
      const labels: (string | undefined)[] = []
      for (let field = 0; field < 5; field++) {
        labels.push(await page.evaluate(label))
        await page.keyboard.press('Tab')
      }
      expect(labels).toEqual(['Base address', 'Client id', 'Secret', 'Version', 'Body'])
      await page.getByLabel('Secret').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('200 OK').waitFor()
    })

    test('the menu of a phone opens, closes, and is left out while it is closed', async () => {
      const { page, open } = browsing()
      await page.setViewportSize(phone)
      await open('operations/walletGet/')
      const link = page.locator('.VPSidebar a').first()
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu', exact: true }).focus()
      await page.keyboard.press('Enter')
      await link.waitFor()
      await page.keyboard.press('Tab')
      expect(await link.evaluate((at) => at === document.activeElement)).toBe(true)
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
    })
  })
}

/** What has the focus, and whether one sees that it has; undefined at the end of the page. */
function describeFocus(): { name: string; seen: boolean } | undefined {
  const at = document.activeElement
  if (!(at instanceof HTMLElement) || at === document.body) return undefined
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const label = at.parentElement?.querySelector(`label[for="${at.id}"]`)
  const ring = at.matches('input[type=radio]') && label ? getComputedStyle(label) : undefined
  const shown = ring ? ring.outlineStyle !== 'none' : outlineStyle !== 'none'
  const { width, height } = at.getBoundingClientRect()
  return {
    name:
      (at.getAttribute('aria-label') ?? at.title ?? '') + (label?.textContent ?? '') + at.innerText,
    seen:
      shown && (ring !== undefined || Number.parseFloat(outlineWidth) > 0) && width * height > 0,
  }
}
