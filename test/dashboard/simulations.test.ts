import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { judgePage, kinds } from '../support/judge-page.ts'
import { type Dashboard, openDashboard, type Window } from './browsing.ts'

const chromium = findChromium('simulations of the dashboard in a browser')

/** Each button that opens a form, and a list whose first object has it. */
const forms: [list: string, verb: string, isDetail: boolean][] = [
  ['/data/transfers?status=pending', 'Simulate event', true],
  ['/data/transfers?status=settled', 'Set sweep status', true],
  ['/data/transfers?status=settled', 'Create refund', true],
  ['/data/transfers', 'Simulate event', false],
  ['/data/wallets?status=ACTIVE', 'Move money', true],
  ['/data/wallets?status=ACTIVE', 'Set state', true],
  ['/items?health=healthy', 'Add transaction', true],
  ['/items?health=healthy', 'Break Item', true],
  ['/verifications?show=active', 'Advance step', true],
]

describe.skipIf(!chromium)('simulations in Chromium', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
  })
  afterAll(() => dashboard?.close())

  /** Opens the first object of a list. */
  async function openFirst({ page, go }: Window, list: string): Promise<void> {
    await go(list)
    await page.locator('tbody a').first().click()
    await page.locator('.back').waitFor()
    await page.locator('main:not(:has(.loading))').waitFor()
  }

  test.each(kinds)(
    'open forms that break no rule of axe, and fit: %o',
    async ({ colorScheme, width }) => {
      const window = await dashboard.open({ colorScheme, viewport: { width, height: 800 } })
      const { page, problems, go, close } = window
      const judged: unknown[] = []
      for (const [list, verb, isDetail] of forms) {
        if (isDetail) await openFirst(window, list)
        else await go(list)
        const button = page.getByRole('button', { name: verb }).first()
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
    120_000,
  )

  test('lead a transfer to its end, refund a part of it, and let the refund fail', async () => {
    const window = await dashboard.open()
    const { page, problems, close } = window
    await openFirst(window, '/data/transfers?status=posted&type=debit')
    const simulate = async (button: ReturnType<typeof page.getByRole>, event: string) => {
      await button.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Event').selectOption(event)
      await dialog.getByRole('button', { name: 'Simulate event' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    const ofTransfer = page.getByRole('button', { name: 'Simulate event', exact: true })
    await simulate(ofTransfer, 'Settled')
    await page.getByRole('status').getByText('The transfer: settled').waitFor()
    await page.getByRole('button', { name: 'Set sweep status' }).click()
    await page.getByLabel('Sweep status').selectOption('Swept settled')
    await page.getByRole('dialog').getByRole('button', { name: 'Set sweep status' }).click()
    await page.getByRole('definition').getByText('Swept settled').waitFor()

    await page.getByRole('button', { name: 'Create refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund how much?' })
    await dialog.getByLabel('Amount in USD').fill('much')
    await dialog.getByRole('button', { name: 'Create refund' }).click()
    await dialog.getByRole('alert').getByText('amount').first().waitFor()
    await dialog.getByLabel('Amount in USD').fill('1.50')
    await dialog.getByRole('button', { name: 'Create refund' }).click()
    const row = page.getByRole('table', { name: 'Refunds' }).getByRole('row', { name: '$1.50' })
    await row.getByText('Pending').waitFor()
    await simulate(row.getByRole('button', { name: 'Simulate event' }), 'Failed')
    await row.getByText('Failed').waitFor()
    expect(await row.getByRole('button', { name: 'Simulate event' }).count()).toBe(0)

    await ofTransfer.click()
    const returned = page.getByRole('dialog', { name: 'What happens to the transfer?' })
    await returned.getByLabel('Event').selectOption('Returned')
    await returned.getByLabel('Return code').fill('nonsense')
    await returned.getByRole('button', { name: 'Simulate event' }).click()
    await returned.getByRole('alert').getByText('R01 to R82').waitFor()
    await returned.getByLabel('Return code').fill('R02')
    await returned.getByRole('button', { name: 'Simulate event' }).click()
    await page.locator('.advice').getByText('(R02)').waitFor()
    expect(await ofTransfer.count()).toBe(0)
    await close()
    expect(problems).toEqual([])
  })

  test('let an event happen to a bank transfer', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/data/transfers')
    const table = page.getByRole('table', { name: 'Bank transfers' })
    const button = table.getByRole('button').filter({ hasText: 'Simulate event' })
    const name = (await button.first().getAttribute('aria-label')) ?? ''
    const id = name.replace('Simulate event of ', '')
    const row = table.getByRole('row', { name: id })
    const before = await row.getByRole('cell').nth(1).innerText()
    await button.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Simulate event' }).click()
    await expect.poll(() => row.getByRole('cell').nth(1).innerText()).not.toBe(before)
    await close()
    expect(problems).toEqual([])
  })

  test('move the money of a wallet, and set its state', async () => {
    const window = await dashboard.open()
    const { page, problems, close } = window
    await openFirst(window, '/data/wallets?status=ACTIVE')
    await page.getByRole('button', { name: 'Set state' }).click()
    const state = page.getByRole('dialog', { name: 'Set the state of the wallet' })
    await state.getByLabel('Current balance').fill('500')
    await state.getByLabel('Available balance').fill('900')
    await state.getByRole('button', { name: 'Set state' }).click()
    await state.getByRole('alert').getByText('must not be more than the current').waitFor()
    await state.getByLabel('Available balance').fill('400.25')
    await state.getByRole('button', { name: 'Set state' }).click()
    await page.getByText(/400\.25$/).waitFor()
    await page.getByRole('button', { name: 'Move money' }).click()
    const move = page.getByRole('dialog', { name: 'Move money of the wallet' })
    await move.getByLabel('Direction').selectOption('Out of the wallet')
    await move.getByLabel(/^Amount in/).fill('0.25')
    await move.getByRole('button', { name: 'Move money' }).click()
    await page.getByText(/400\.00$/).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('add a transaction to an Item', async () => {
    const window = await dashboard.open()
    const { page, problems, close } = window
    await window.go('/items?health=healthy')
    await page.locator('tbody a').last().click()
    await page.getByRole('button', { name: 'Add transaction' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a transaction' })
    await dialog.getByLabel('Description').fill('Corner bakery of the test')
    await dialog.getByLabel('Amount').fill('12.75')
    await dialog.getByLabel('It is pending').check()
    await dialog.getByRole('button', { name: 'Add transaction' }).click()
    const table = page.getByRole('table', { name: 'Transactions' })
    const row = table.getByRole('row', { name: 'Corner bakery of the test' })
    await row.getByText('$12.75').waitFor()
    await row.getByText('Pending').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('end a step of a verification', async () => {
    const window = await dashboard.open()
    const { page, problems, close } = window
    await openFirst(window, '/verifications?show=active')
    await page.getByRole('button', { name: 'Advance step' }).click()
    const dialog = page.getByRole('dialog', { name: 'How does a step end?' })
    const select = dialog.getByLabel('Step', { exact: true })
    const step = await select.evaluate((at) => (at as HTMLSelectElement).selectedOptions[0]?.text)
    await dialog.getByLabel('It ends with').selectOption('Failed')
    await dialog.getByRole('button', { name: 'Advance step' }).click()
    const row = page.getByRole('table', { name: 'Steps' }).getByRole('row', { name: step ?? '' })
    await row.getByText('Failed', { exact: true }).waitFor()
    await close()
    expect(problems).toEqual([])
  })
})
