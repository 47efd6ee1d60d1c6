import { describe, expect, test } from 'vitest'
import type { Browsing } from './browsing.ts'

/** Tests of the language and the address of the samples on the operations' pages. */
export function testSamples(browsing: () => Browsing): void {
  const shown = () => browsing().page.locator('#walletGetRequest .blocks > :visible')

  describe('the samples', () => {
    test('stay in the language that was chosen once, and nothing moves for it', async () => {
      const { page, open, follow } = browsing()
      await open('operations/accountsGet/')
      await page.locator('#accountsGetRequest').getByText('Python', { exact: true }).click()
      await follow('operations/walletGet/')
      const expected = expect.stringMatching(/^import requests\n/)
      await expect.poll(() => shown().locator('pre').allInnerTexts()).toEqual([expected])
      await open('operations/walletGet/')
      expect(await shown().locator('pre').allInnerTexts()).toEqual([expected])
      const tabs = page.locator('#walletGetRequest')
      await expect.poll(() => tabs.getByLabel('Python', { exact: true }).isChecked()).toBe(true)
      expect(await page.evaluate(movedParts)).toEqual([])
      await page.evaluate(() => localStorage.clear())
    })

    test('go to the server that the page comes from', async () => {
      const { page, origin, open } = browsing()
      await open('operations/walletGet/')
      const samples = page.locator('#walletGetRequest .blocks')
      for (const start of [`curl ${origin}/wallet/get`, `baseUrl: '${origin}'`, `"${origin}/`]) {
        await expect.poll(() => samples.textContent()).toContain(start)
      }
    })
  })
}

/** The parts of the text that have moved since the page was opened; the bar of the theme does. */
const movedParts = (): Promise<string[]> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[]
      const parts = shifts.flatMap(({ sources }) =>
        sources.flatMap(({ node }) => (node instanceof Element ? node : node?.parentElement) ?? []),
      )
      resolve(parts.filter((part) => part.closest('.vp-doc')).map((part) => part.className))
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve([]), 300)
  })
