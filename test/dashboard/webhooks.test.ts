import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { findChromium } from '../support/browser.ts'
import { judgePage, kinds } from '../support/judge-page.ts'
import { type Dashboard, openDashboard } from './browsing.ts'

const chromium = findChromium('a webhook of the dashboard in a browser')

describe.skipIf(!chromium)('the page of a webhook in Chromium', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
    dashboard.receiver.behave((response) => {
      response.writeHead(500, { 'Content-Type': 'application/json' })
      response.end('{"error":"the queue is full"}')
    })
  })
  afterAll(() => dashboard?.close())

  /** Opens the latest webhook, and sends it again to a receiver that fails. */
  async function openWebhook(options = {}) {
    const window = await dashboard.open(options)
    await window.go('/webhooks')
    await window.page.getByRole('link', { name: 'SYNC_UPDATES_AVAILABLE' }).first().click()
    const table = window.page.getByRole('table', { name: 'Attempts' })
    await table.getByRole('row').nth(1).waitFor()
    const made = (await table.getByRole('row').count()) - 1
    await window.page.getByRole('button', { name: 'Send again' }).click()
    await table
      .getByRole('cell', { name: 'Answered 500' })
      .nth(made - 1)
      .waitFor()
    return { ...window, table }
  }

  test.each(kinds)(
    'breaks no rule of axe, and fits: %o',
    async ({ colorScheme, width }) => {
      const viewport = { width, height: 800 }
      const { page, problems, close } = await openWebhook({ colorScheme, viewport })
      const judged = await judgePage(page, width)
      await page.getByRole('button', { name: 'Verify signature' }).click()
      await page.getByText('The signature is right.').waitFor()
      judged.push(...(await judgePage(page, width)))
      await page.getByLabel('Header').fill('no token')
      await page.getByRole('button', { name: 'Verify signature' }).click()
      await page.getByText('A receiver must reject this webhook.').waitFor()
      judged.push(...(await judgePage(page, width)))
      await close()
      expect([judged, problems]).toEqual([[], []])
    },
    60_000,
  )

  test('shows the response to each attempt', async () => {
    const { page, problems, close } = await openWebhook()
    await page.getByText('"the queue is full"').waitFor()
    await page.getByRole('button', { name: 'Show response to attempt 1' }).click()
    const first = page.getByRole('group', { name: 'Response to attempt 1' })
    expect(await first.innerText()).toBe('thanks')
    await close()
    expect(problems).toEqual([])
  })

  test('says what is wrong with a body that was changed', async () => {
    const { page, problems, close } = await openWebhook()
    const body = page.getByLabel('Body, character by character')
    const sent = await body.inputValue()
    await body.fill(`${sent}\n`)
    await page.getByRole('button', { name: 'Verify signature' }).click()
    const checks = page.getByRole('table', { name: 'Checks' })
    const row = checks.getByRole('row', { name: 'Hash of the body' })
    await row.getByText('Failed').waitFor()
    await row.getByText('The body is not what was signed').waitFor()
    await checks.getByRole('row', { name: 'Signature' }).getByText('Passed').waitFor()
    await page.getByRole('button', { name: 'Restore last attempt' }).click()
    expect(await body.inputValue()).toBe(sent)
    await page.getByRole('button', { name: 'Verify signature' }).click()
    await page.getByText('The signature is right.').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('says that a webhook is tried again, in the list, on its page and in the overview', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await dashboard.service.client.control('sandboxItemFireWebhook', {
      access_token: readyAccessToken,
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
    })
    await go('/webhooks?status=retrying')
    const table = page.getByRole('table', { name: 'Webhooks' })
    await table.getByRole('cell', { name: 'Retrying' }).waitFor()
    await table.getByRole('link').first().click()
    await page.getByRole('definition').getByText('Retrying').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    const result = 'Attempt 2 failed: the receiver answered 500'
    await page.getByRole('status').getByText(result).waitFor()
    await page.getByRole('definition').getByText('Retrying').waitFor()
    await go('/')
    await page.locator('.tile').getByText('1 retrying').waitFor()
    expect(await judgePage(page, 1280)).toEqual([])
    await close()
    expect(problems).toEqual([])
  })
})
