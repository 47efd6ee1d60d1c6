import { describe, expect, test } from 'vitest'
import { startMock } from '../support/mock.ts'
import type { Browsing } from './browsing.ts'
import { written } from './site.ts'

const few = [
  'sandboxPublicTokenCreate',
  'itemPublicTokenExchange',
  'accountsGet',
  'transactionsSync',
]

const pathOf = (operationId: string): string => {
  const { area } = written.find(({ operation }) => operation.operationId === operationId)!
  return `${area}/${operationId}/`
}

async function openConsole({ page, follow }: Browsing, operationId: string): Promise<void> {
  await follow(pathOf(operationId))
  await page.locator(`h1[id="${operationId}"]`).waitFor()
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.getByLabel('Body', { exact: true }).waitFor()
}

/** Sends what is in the console, and returns what it says of the answer. */
async function send({ page }: Browsing): Promise<string> {
  await page.locator('.console button[type=submit]').click()
  const outcome = page.locator('.console .outcome', { hasText: /\d ms/ })
  await outcome.waitFor()
  return (await outcome.innerText()).trim().replace(/\d+ ms$/, 'n ms')
}

/** Sends what each console is prefilled with; each with what its console says of the answer. */
async function sendPrefilled(
  browsing: Browsing,
  order: readonly string[],
): Promise<[string, string][]> {
  await browsing.open('')
  const answers: [string, string][] = []
  for (const operationId of order) {
    await openConsole(browsing, operationId)
    answers.push([operationId, await send(browsing)])
  }
  // Chromium reports the errors of examples whose values had to be made.
  const others = browsing.problems.filter((problem) => !problem.includes('status of 400'))
  browsing.problems.splice(0, Infinity, ...others)
  return answers
}

/** Tests the request console of every operation. */
export function testEveryConsole(browsing: () => Browsing): void {
  test('every console gets an answer for what it is prefilled with, in any order', async () => {
    const ids = written.map(({ operation }) => operation.operationId)
    // An order in which neighbors are far apart, and in which reset and removal come early.
    const order = ids.map((_, index) => ids[(ids.length - 1 + index * 27) % ids.length]!)
    expect(new Set(order).size).toBe(ids.length)
    const answers = await sendPrefilled(browsing(), order)
    expect(answers).toEqual(order.map((id) => [id, '200 OK in n ms']))
  }, 240_000)
}

/** Tests of the request console of the operations' pages. */
export function testConsole(browsing: () => Browsing): void {
  describe('the console', () => {
    test('gets an answer for what it is prefilled with, and tells which values it made', async () => {
      const answers = await sendPrefilled(browsing(), few)
      expect(answers).toEqual(few.map((id) => [id, '200 OK in n ms']))
      await openConsole(browsing(), 'itemPublicTokenExchange')
      await send(browsing())
      const note = await browsing().page.locator('.console .replaced').innerText()
      expect(note).toContain('public_token')
      browsing().problems.length = 0
    })

    test('fills in a value of an earlier answer', async () => {
      const { page, open } = browsing()
      await open('')
      await openConsole(browsing(), 'sandboxPublicTokenCreate')
      await send(browsing())
      await openConsole(browsing(), 'itemPublicTokenExchange')
      await page.getByRole('button', { name: 'Fill in public_token' }).click()
      expect(await send(browsing())).toBe('200 OK in n ms')
      expect(await page.locator('.console .replaced').count()).toBe(0)
    })

    test('says which call brings a value that no answer has brought yet', async () => {
      const { page, open } = browsing()
      await open('')
      await openConsole(browsing(), 'assetReportFilter')
      const offers = page.getByLabel('Values from other answers')
      expect(await offers.innerText()).toMatch(
        /asset_report_token comes from \/asset_report\/create/,
      )
      await offers.getByRole('link', { name: '/asset_report/create' }).click()
      await page.waitForURL('**/operations/assetReportCreate/')
    })

    test('sends what is filled in, and shows an error with its status', async () => {
      const { page, open } = browsing()
      await open('')
      await openConsole(browsing(), 'accountsGet')
      await page.getByLabel('Secret').fill('another')
      await page.getByLabel('Version').selectOption('2019-05-29')
      await page.getByLabel('Body', { exact: true }).fill('{"access_token": "x"}')
      const sent = page.waitForRequest('**/accounts/get')
      expect(await send(browsing())).toBe('400 Bad Request in n ms')
      const request = await sent
      expect(request.postData()).toBe('{"access_token": "x"}')
      expect(request.headers()).toMatchObject({
        'content-type': 'application/json',
        'service-client-id': 'sandbox-client',
        'service-secret': 'another',
        'service-version': '2019-05-29',
      })
      const body = page.getByLabel('Body of the answer')
      expect(await body.textContent()).toContain('"error_code": "INVALID_API_KEYS"')
      // Chromium reports every error in its own console.
      expect(browsing().problems.splice(0)).toEqual([expect.stringContaining('status of 400')])
    })

    test('keeps credentials and version for the tab, also when the page is loaded again', async () => {
      const { page, open } = browsing()
      await open('')
      await openConsole(browsing(), 'accountsGet')
      const secret = page.getByLabel('Secret')
      await secret.fill('my-own-secret')
      await open(pathOf('walletGet'))
      await page.getByRole('button', { name: 'Open the console' }).click()
      expect(await secret.inputValue()).toBe('my-own-secret')
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('secret')
    })

    test('offers the header Prefer where the mock answers, and only there', async () => {
      const mock = await startMock()
      try {
        const { page, open, problems } = browsing()
        await open('')
        await openConsole(browsing(), 'walletGet')
        expect(await page.getByLabel(/Prefer/).count()).toBe(0)
        await page.getByLabel('Base address').fill(mock.url)
        await page.getByLabel('Base address').press('Tab')
        await page.getByLabel(/Prefer/).fill('code=429')
        expect(await send(browsing())).toBe('429 Too Many Requests in n ms')
        expect(problems.splice(0).length).toBeGreaterThan(0)
      } finally {
        await mock.close()
      }
    })
  })
}
