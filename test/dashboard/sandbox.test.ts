import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { createLink } from '../support/dashboard-browser.ts'
import { judgePage, kinds } from '../support/judge-page.ts'
import { type Dashboard, openDashboard, type Window } from './browsing.ts'

const chromium = findChromium('the sandbox of the dashboard in a browser')

describe.skipIf(!chromium)('the page of the sandbox in Chromium', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
  })
  afterAll(() => dashboard?.close())
  afterEach(() => dashboard.service.client.control('sandboxErrorClear', {}))

  async function open(options = {}): Promise<Window> {
    const window = await dashboard.open(options)
    await window.go('/sandbox')
    return window
  }

  test.each(kinds)(
    'breaks no rule of axe, and fits, with each dialog: %o',
    async ({ colorScheme, width }) => {
      for (const operation of ['/wallet/list', '/wallet/get', '/wallet/create']) {
        await dashboard.service.client.control('sandboxErrorInject', { operation, drop: true })
      }
      const viewport = { width, height: 800 }
      const { page, problems, close } = await open({ colorScheme, viewport })
      for (const name of ['What happens next', 'Injected errors', 'Seed data']) {
        const rows = page.getByRole('table', { name }).getByRole('row')
        await expect.poll(() => rows.count()).toBeGreaterThan(3)
      }
      const judged = await judgePage(page, width)
      for (const verb of ['Inject error', 'Reset data', 'Create client', 'Rotate secret']) {
        const button = page.getByRole('button', { name: verb, exact: true }).first()
        await button.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        judged.push(...(await judgePage(page, width)))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        expect(await button.evaluate((at) => at === document.activeElement)).toBe(true)
      }
      await close()
      expect([judged, problems]).toEqual([[], []])
    },
    180_000,
  )

  test('advances the clock to the next entry, and by a time, and says how far it is ahead', async () => {
    const { page, problems, close } = await open()
    const table = page.getByRole('table', { name: 'What happens next' })
    const check = table.getByRole('row', { name: 'Check an Item' })
    await check.first().waitFor()
    const { client } = dashboard.service
    const before = Date.parse((await client.control('sandboxClockGet', {})).now)
    await page.getByLabel('Advance', { exact: true }).selectOption('To the next entry below')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    await page.getByRole('status').getByText('The time of the client is').waitFor()
    await page.getByLabel('Advance', { exact: true }).selectOption('By 7 days')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    await page
      .getByRole('definition')
      .getByText(/^7 days/)
      .waitFor()
    const after = Date.parse((await client.control('sandboxClockGet', {})).now)
    expect(after - before).toBeGreaterThanOrEqual(7 * 86_400_000)
    await close()
    expect(problems).toEqual([])
  })

  test('says that a moment is missing, or has passed', async () => {
    const { page, problems, close } = await open()
    await page.getByLabel('Advance', { exact: true }).selectOption('To a moment')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Enter the day and the time').waitFor()
    await page.getByLabel('Day and time').fill('2020-01-01T10:00')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    await alert.getByText('"Day and time" must not be before now').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('injects an error that the next call gets, and removes others', async () => {
    const { page, problems, close } = await open()
    const { client } = dashboard.service
    await inject(page, async (dialog) => {
      await dialog.getByLabel('Operation').selectOption('/wallet/list')
      await dialog.getByLabel('How many calls').fill('2')
    })
    const table = page.getByRole('table', { name: 'Injected errors' })
    const row = table.getByRole('row', { name: '/wallet/list' })
    await row.getByText('INTERNAL_SERVER_ERROR').waitFor()
    expect(await row.getByRole('cell').nth(3).innerText()).toBe('2')
    expect((await client.post('/wallet/list', {})).status).toBe(500)
    await expect.poll(() => row.getByRole('cell').nth(3).innerText(), { timeout: 10_000 }).toBe('1')
    await inject(page, async (dialog) => {
      await dialog.getByLabel('Operation').selectOption('/wallet/get')
      await dialog.getByLabel('What goes wrong').selectOption('Delay')
      await dialog.getByLabel('Delay in milliseconds').fill('5000')
    })
    await table.getByRole('row', { name: 'Answer 5,000 ms late' }).waitFor()
    await row.getByRole('button', { name: 'Remove error of /wallet/list' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await client.post('/wallet/list', {})).status).toBe(200)
    await close()
    expect(problems).toEqual([])
  })

  test('shows in the dialog why an error was not injected', async () => {
    const { page, problems, close } = await open()
    await page.getByRole('button', { name: 'Inject error' }).click()
    const dialog = page.getByRole('dialog', { name: 'Inject an error' })
    await dialog.getByLabel('Only calls about this Item').fill('none')
    await dialog.getByRole('button', { name: 'Inject error' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await judgePage(page, 1280)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No injected errors').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('creates a client, and rotates a secret, which are shown once', async () => {
    const { page, problems, close } = await open()
    await page.getByRole('button', { name: 'Create client' }).click()
    const asked = page.getByRole('dialog', { name: 'Create a client' })
    await asked.getByLabel('Name').fill('Larkspur Branch')
    await asked.getByRole('button', { name: 'Create client' }).click()
    const shown = page.getByRole('dialog', { name: 'Secret of Larkspur Branch' })
    const secret = await shown.locator('code.long').innerText()
    expect(await judgePage(page, 1280)).toEqual([])
    await shown.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('table', { name: 'Clients' }).getByRole('row', {
      name: 'Larkspur Branch',
    })
    const clientId = await row.locator('code').innerText()
    const made = dashboard.service.tenantOf(clientId, secret)
    expect((await made.post('/wallet/list', {})).status).toBe(200)
    expect(await page.content()).not.toContain(secret)

    // The new client is the one that the dashboard shows.
    await page.getByLabel('Client', { exact: true }).selectOption('Larkspur Branch')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const rotated = page.getByRole('dialog', { name: 'New secret' })
    const second = await rotated.locator('code.long').innerText()
    await rotated.getByText('The secret before it works until').waitFor()
    expect(second).not.toBe(secret)
    const renewed = dashboard.service.tenantOf(clientId, second)
    expect((await renewed.post('/wallet/list', {})).status).toBe(200)
    expect((await made.post('/wallet/list', {})).status).toBe(200)
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
    expect(await rotated.locator('code.long').innerText()).toBe(second)
    await rotated.getByRole('button', { name: 'Done' }).click()
    await rotated.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByLabel('The secret before it works for').selectOption('It ends at once')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await rotated.getByText('no longer works').waitFor()
    expect((await renewed.post('/wallet/list', {})).status).toBe(400)
    await close()
    expect(problems).toEqual([])
  })

  test('resets the data of the client after a question, and the user stays signed in', async () => {
    const { page, problems, close } = await open()
    const { client } = dashboard.service
    await client.post('/wallet/create', { iso_currency_code: 'EUR' })
    await page.reload()
    const table = page.getByRole('table', { name: 'Seed data' })
    const row = table.getByRole('row', { name: 'Wallets' })
    const cells = async () => (await row.getByRole('cell').allInnerTexts()).slice(1)
    await row.waitFor()
    const [now, start] = await cells()
    expect(Number(now)).toBe(Number(start) + 1)
    await page.getByRole('button', { name: 'Reset data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset the data of the client?' })
    await dialog.getByText('the users of the dashboard with their sessions stay').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await cells()).toEqual([now, start])
    await page.getByRole('button', { name: 'Reset data' }).click()
    await dialog.getByRole('button', { name: 'Reset data' }).click()
    await page.getByRole('status').getByText('The client has the data of its start').waitFor()
    await expect.poll(cells).toEqual([start, start])
    await page.getByText('Not ahead').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  /** A window whose user has signed in by a link. */
  async function openAs(role: 'reviewer' | 'developer'): Promise<Window> {
    const { clientId } = dashboard.service.client
    const { key } = await createLink(dashboard.service, { client_id: clientId, role })
    const window = await dashboard.open()
    await window.go(`/sign-in#key=${key}`)
    await window.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return window
  }

  test('is no page of a reviewer, who gets no button of a simulation either', async () => {
    const { page, problems, go, close } = await openAs('reviewer')
    await page.getByRole('link', { name: 'Verifications' }).waitFor()
    expect(await page.getByRole('link', { name: 'Sandbox', exact: true }).count()).toBe(0)
    await go('/sandbox')
    await page.getByText('Your role cannot use the sandbox').waitFor()
    expect(await page.getByRole('button', { name: /clock|Inject|Reset/ }).count()).toBe(0)
    expect(await judgePage(page, 1280)).toEqual([])
    await go('/verifications?show=active')
    await page.locator('tbody a').first().click()
    await page.getByRole('button', { name: 'Cancel attempt' }).waitFor()
    expect(await page.getByRole('button', { name: 'Advance step' }).count()).toBe(0)
    await close()
    expect(problems).toEqual([])
  })

  test('shows a developer no secrets', async () => {
    const { page, problems, close } = await openAs('developer')
    await page.getByRole('link', { name: 'Sandbox', exact: true }).click()
    await page.getByRole('table', { name: 'Seed data' }).waitFor()
    await page.getByRole('button', { name: 'Inject error' }).waitFor()
    expect(await page.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0)
    await close()
    expect(problems).toEqual([])
  })
})

/** Fills the form, and sends it. */
async function inject(page: Page, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('button', { name: 'Inject error' }).click()
  const dialog = page.getByRole('dialog', { name: 'Inject an error' })
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Inject error' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
