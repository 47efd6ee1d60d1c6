import { describe, expect, test } from 'vitest'
import { startMock } from '../support/mock.ts'
import type { Browsing } from './browsing.ts'
import { operations, written } from './site.ts'

/** Which value of an earlier answer an example needs, since the one that it shows is not ours. */
const fills: Record<string, string> = {
  itemPublicTokenExchange: 'public_token',
  transactionsSync: 'cursor',
  assetReportGet: 'asset_report_token',
  assetReportFilter: 'asset_report_token',
  webhookVerificationKeyGet: 'key_id',
}

const sandboxOperations = [
  'sandboxPublicTokenCreate',
  'itemPublicTokenExchange',
  'sandboxWebhookRotateKey',
  'sandboxClockGet',
  'sandboxWebhookList',
]

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

/** Sends the example of each operation in turn; each with what its console says of the answer. */
async function sendExamples(
  browsing: Browsing,
  order: readonly string[],
): Promise<[string, string][]> {
  const { page, open } = browsing
  await open('')
  const answers: [string, string][] = []
  for (const operationId of order) {
    await openConsole(browsing, operationId)
    if (operationId === 'transactionsSync') {
      await page
        .getByLabel('Example', { exact: true })
        .selectOption('The whole history from the start')
      await send(browsing)
      await page.getByLabel('Example', { exact: true }).selectOption({ index: 0 })
    }
    const field = fills[operationId]
    if (field) await page.getByRole('button', { name: `Fill in ${field}` }).click()
    answers.push([operationId, await send(browsing)])
  }
  return answers
}

/** Tests the request console of every operation. */
export function testEveryConsole(browsing: () => Browsing): void {
  test('the console gets an answer for the example of every operation, and of some sandbox endpoints', async () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    const removed = 'itemRemove'
    const order = [...sandboxOperations, ...ids.filter((id) => id !== removed), removed]
    const answers = await sendExamples(browsing(), order)
    expect(answers).toEqual(order.map((id) => [id, '200 OK in n ms']))
  }, 120_000)
}

/** Tests of the request console of the operations' pages. */
export function testConsole(browsing: () => Browsing): void {
  describe('the console', () => {
    test('gets an answer for the examples of some operations, with values of earlier answers', async () => {
      const answers = await sendExamples(browsing(), few)
      expect(answers).toEqual(few.map((id) => [id, '200 OK in n ms']))
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
