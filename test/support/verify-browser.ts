import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { check, enter, go, type Kind, tabTo, type } from './hosted-browser.ts'
import { pngOf } from './pictures.ts'

/** What a person does on a page of a verification, with a keyboard. */
export type Doing = (page: Page) => Promise<void>

/** The name of the page that is shown. */
export const nameOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Presses Enter in a field, which sends its form. */
export const send: Doing = enter

/** The button that most people press. */
export const next: Doing = (page) => go(page, 'main form button')

/** Chooses one of a few with the keys of arrows. */
export async function chooseRadio(page: Page, name: string, value: string): Promise<void> {
  await tabTo(page, `input[name=${name}]`)
  await page.keyboard.press('Space')
  for (let stop = 0; stop < 10; stop += 1) {
    const chosen = await page.locator(`input[name=${name}]:checked`).getAttribute('value')
    if (chosen === value) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no choice of ${name} is ${value}`)
}

/** Chooses one of many by its first letters. */
export async function chooseFrom(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.type(text)
  expect(await page.locator(`${selector} option:checked`).innerText()).toBe(text)
}

export const fill =
  (fields: Record<string, string>): Doing =>
  async (page) => {
    for (const [id, text] of Object.entries(fields)) await type(page, `#${id}`, text)
    await send(page)
  }

/** Sends a file. Choosing it is up to the browser. */
export const sendFile =
  (buffer: Buffer = pngOf(), name = 'card.png', id = 'file'): Doing =>
  async (page) => {
    await page.setInputFiles(`#${id}`, { name, mimeType: '', buffer })
    await go(page, `form:has(#${id}) button`)
  }

export const useSample =
  (sample: string): Doing =>
  async (page) => {
    await chooseRadio(page, 'sample', sample)
    await go(page, '.note button')
  }

export const chooseDocument =
  (kind: string, country = 'United States'): Doing =>
  async (page) => {
    await chooseRadio(page, 'kind', kind)
    await chooseFrom(page, '#country', country)
    await go(page, 'main form button')
  }

/** What is done on each page, so that all checks are passed. */
export const usual: Readonly<Record<string, Doing>> = {
  terms: next,
  phone: fill({ tel: '+1 (415) 555-0142' }),
  code: fill({ 'one-time-code': '123 456' }),
  name: fill({ 'given-name': 'Maren', 'family-name': 'Talvik' }),
  birth: fill({ 'bday-day': '23', 'bday-month': '7', 'bday-year': '1991' }),
  async country(page) {
    await chooseFrom(page, '#country', 'United States')
    await next(page)
  },
  address: fill({
    'address-line1': '18 Juniper Lane',
    'address-level2': 'Larkspur Falls',
    'address-level1': 'or',
    'postal-code': '97031',
  }),
  async number(page) {
    await chooseRadio(page, 'kind', 'us_ssn')
    await fill({ number: '900-12-3456' })(page)
  },
  answers: next,
  document: chooseDocument('drivers_license'),
  front: useSample('document'),
  back: sendFile(),
  selfie: useSample('selfie'),
}

/** Answers pages until one that is not answered. Returns the names of the pages. */
export async function walk(
  page: Page,
  doing: Readonly<Record<string, Doing>> = usual,
): Promise<string[]> {
  const seen: string[] = []
  for (let pages = 0; pages < 40; pages += 1) {
    const name = nameOf(page)
    seen.push(name)
    const answer = doing[name]
    if (!answer) return seen
    await answer(page)
  }
  throw new Error(`the pages do not end: ${seen.join(', ')}`)
}

/** Looks at the page that waits, which would renew itself meanwhile. */
export async function lookAtWaiting(page: Page, kind: Kind): Promise<void> {
  const pattern = /\/waiting$/
  await page.route(pattern, async (route) => {
    const response = await route.fetch()
    const { refresh, ...headers } = response.headers()
    expect(refresh).toBe('3')
    await route.fulfill({ response, headers })
  })
  await page.reload()
  await look(page, kind, /^Your data is being checked/)
  await page.unroute(pattern)
  await page.reload()
}

let shots = 0

/** Stores a picture of a page in the folder that `SHOTS` names. */
export async function shoot(page: Page, kind: Kind, name = nameOf(page)): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder) return
  shots += 1
  const of = `${kind.width}-${kind.colorScheme}${kind.javaScriptEnabled ? '' : '-no-js'}`
  const number = String(shots).padStart(4, '0')
  // A picture of the whole page would be without the parts for touch screens.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: kind.width, height })
  await page.screenshot({ path: `${folder}/${of}-${number}-${name}.png` })
  await page.setViewportSize({ width: kind.width, height: 720 })
}

/** Everything that must be true of a page, and a picture of it. */
export async function look(page: Page, kind: Kind, expected: RegExp): Promise<void> {
  await check(page, kind, expected)
  await shoot(page, kind)
}
