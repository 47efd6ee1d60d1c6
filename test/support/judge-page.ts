import type { Page } from 'playwright-core'
import { violations } from './axe.ts'

/** Both themes, on a wide and on the narrowest screen. */
export const kinds = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1360, 320].map((width) => ({ colorScheme, width })),
)

/** What is wrong with the page that is shown in a window of this width. */
export async function judgePage(page: Page, width: number): Promise<unknown[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  const tooWide = wide === width ? [] : [`${wide} px wide`]
  const headings = await page.locator('h1').count()
  const severalNames = headings === 1 ? [] : [`${headings} h1`]
  const found = [...tooWide, ...severalNames, ...(await violations(page))]
  return found.length === 0 ? [] : [{ url: page.url(), found }]
}
