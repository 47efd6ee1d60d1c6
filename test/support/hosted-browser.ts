import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.ts'

/** How a visitor sees the pages. */
export interface Kind {
  width: number
  colorScheme: 'light' | 'dark'
  javaScriptEnabled: boolean
  hasTouch?: boolean
}

/** A page whose user has no mouse. What the browser complains of is collected. */
export async function openPage(browser: Browser, origin: string, { width, ...kind }: Kind) {
  const context = await browser.newContext({ viewport: { width, height: 720 }, ...kind })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) problems.push(`asked for ${url}`)
  })
  page.on('console', (message) => {
    // Chromium reports the status of a page itself.
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  return { page, problems, close: () => context.close() }
}

export const heading = (page: Page) => page.locator('h1').innerText()

/** The class of what has the focus. Chromium gives an `autofocus` the focus when it first paints. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.className)

/** Where to put a picture of each page that is checked: `SHOTS=/tmp/shots`. */
const folder = process.env['SHOTS']
let shots = 0

async function shoot(page: Page, title: string, kind: Kind): Promise<void> {
  if (folder === undefined) return
  shots += 1
  const name = title.replaceAll(/[^\p{L}\d]+/gu, '-')
  const { width, colorScheme, javaScriptEnabled } = kind
  const view = `${width}-${colorScheme}${javaScriptEnabled ? '' : '-no-js'}`
  const path = `${folder}/${view}/${String(shots).padStart(3, '0')}-${name}.png`
  await page.screenshot({ path, fullPage: true })
}

/** Everything that must be true of each page. */
export async function check(page: Page, kind: Kind, expected: RegExp): Promise<void> {
  const { width, javaScriptEnabled } = kind
  const title = await heading(page)
  await shoot(page, title, kind)
  expect(title).toMatch(expected)
  // The rules are checked by a script.
  if (javaScriptEnabled) expect([title, await violations(page)]).toEqual([title, []])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect([title, wide]).toEqual([title, width])
  const isError = (await page.locator('.errors').count()) > 0
  expect(/^(?:Error|Fehler): /.test(await page.title())).toBe(isError)
  if (isError) await expect.poll(() => focused(page), { message: title }).toBe('errors')
}

/** Moves the focus to the element of a selector, whose outline must be seen there. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    const isThere = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) ?? false,
      selector,
    )
    if (!isThere) continue
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement as Element)
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
    })
    expect([selector, outline]).toEqual([selector, 3])
    return
  }
  throw new Error(`no stop of the keyboard is ${selector}`)
}

/** Presses Enter in what has the focus, and waits for the next page. */
export async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  // A key before Chromium has given an `autofocus` the focus would take it away. A link of the list
  // leads to a field of the same page.
  const isOtherPage = new URL(page.url()).hash === ''
  if (!isOtherPage || (await page.locator('.errors[autofocus]').count()) === 0) return
  await expect.poll(() => focused(page)).toBe('errors')
}

/** Presses Enter on the element of a selector. */
export async function go(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector)
  await enter(page)
}

export async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Each two of a width, colors and JavaScript together once. A phone has a touch screen. */
export const pairs: Kind[] = [
  { width: 320, colorScheme: 'dark', javaScriptEnabled: true, hasTouch: true },
  { width: 1360, colorScheme: 'light', javaScriptEnabled: true },
  { width: 320, colorScheme: 'light', javaScriptEnabled: false, hasTouch: true },
  { width: 1360, colorScheme: 'dark', javaScriptEnabled: false },
]

export const kinds: Kind[] = [
  { width: 320, colorScheme: 'light', javaScriptEnabled: true },
  { width: 320, colorScheme: 'dark', javaScriptEnabled: true },
  { width: 1360, colorScheme: 'light', javaScriptEnabled: true },
  { width: 1360, colorScheme: 'dark', javaScriptEnabled: true },
  { width: 320, colorScheme: 'light', javaScriptEnabled: false },
]
