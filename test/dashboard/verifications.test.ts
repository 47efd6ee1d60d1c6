import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { openDashboard as openByProgram } from '../support/dashboard-browser.ts'
import { judgePage, kinds } from '../support/judge-page.ts'
import { type Dashboard, openDashboard } from './browsing.ts'

const chromium = findChromium('a review of an identity verification in a browser')

describe.skipIf(!chromium)('a review in Chromium', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
  })
  afterAll(() => dashboard?.close())

  test.each(kinds)(
    'breaks no rule of axe, and fits: %o',
    async ({ colorScheme, width }) => {
      const viewport = { width, height: 800 }
      const { page, problems, go, close } = await dashboard.open({ colorScheme, viewport })
      const judged: unknown[] = []
      await go('/verifications?show=all')
      const rows = page.getByRole('table', { name: 'Verifications' }).getByRole('row')
      await expect.poll(() => rows.count()).toBeGreaterThan(8)
      judged.push(...(await judgePage(page, width)))
      // One with pictures and findings, one that waits, one that cannot be decided any more.
      for (const id of ['idv_Fa1ledR1skChec', 'idv_Pend1ngReview0', 'idv_Cance1edByYou0']) {
        await go(`/verifications/${id}`)
        judged.push(...(await judgePage(page, width)))
      }
      await go('/verifications/idv_Fa1ledSelf1eXY')
      const pictures = page.locator('figure img')
      await expect.poll(() => pictures.count()).toBeGreaterThan(2)
      const isShown = (image: SVGElement | HTMLElement) => (image as HTMLImageElement).naturalWidth
      expect(await pictures.first().evaluate(isShown)).toBe(320)
      await page.getByRole('button', { name: 'Approve step' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This is final').waitFor()
      judged.push(...(await judgePage(page, width)))
      // Without a reason it is told what is missing.
      await dialog.getByRole('button', { name: 'Approve step' }).click()
      await dialog.getByText('Enter the reason').waitFor()
      judged.push(...(await judgePage(page, width)))
      await close()
      expect(judged).toEqual([])
      expect(problems).toEqual([])
    },
    120_000,
  )

  test.each(kinds)('shows a picture large, by keyboard: %o', async ({ colorScheme, width }) => {
    const viewport = { width, height: 800 }
    const { page, problems, go, close } = await dashboard.open({ colorScheme, viewport })
    await go('/verifications/idv_Fa1ledSelf1eXY')
    const button = page.getByRole('button', { name: /^Enlarge / }).first()
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /Document, upload/ })
    const image = dialog.getByRole('img', { name: /Document, upload/ })
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBe(320)
    const widthOf = (box: { width: number } | null) => box?.width ?? 0
    const small = widthOf(await button.boundingBox())
    if (width > 1000) expect(widthOf(await image.boundingBox())).toBeGreaterThan(2 * small)
    expect(await judgePage(page, width)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await button.evaluate((at) => at === document.activeElement)).toBe(true)
    await close()
    expect(problems).toEqual([])
  })

  test('shows a picture whose address has ended, by a new one', async () => {
    const { page, problems, go, close } = await dashboard.open()
    let ended: string | null = null
    await page.route('**/images/**', async (route) => {
      const expires = new URL(route.request().url()).searchParams.get('expires')
      ended ??= expires
      await (expires === ended ? route.fulfill({ status: 404 }) : route.continue())
    })
    await go('/verifications/idv_Fa1ledSelf1eXY')
    await page
      .getByRole('button', { name: /^Enlarge / })
      .first()
      .click()
    const image = page.getByRole('dialog').getByRole('img')
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBe(320)
    await close()
    expect(problems).toEqual([])
  })

  test('is done by keyboard alone, from the queue to the next attempt', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/verifications')
    await tabTo(page, 'applicant-failed')
    await page.keyboard.press('Enter')
    await heading(page, 'Verification of applicant-failed')
    await tabTo(page, 'Approve step')
    await tabTo(page, 'Approve step')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Approve the step "Document"?' })
    await dialog.waitFor()
    expect(await focused(page)).toBe('Reason')
    // The focus stays in the dialog, and returns to the button.
    const stops = []
    for (let stop = 0; stop < 8; stop += 1) {
      await page.keyboard.press('Tab')
      stops.push(
        await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName),
      )
    }
    expect(stops.filter((tag) => tag === 'DIALOG').length).toBeGreaterThan(4)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await focused(page)).toBe('Approve step')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.type('The branch has compared the document with the person.')
    await tabTo(page, 'Approve step')
    await page.keyboard.press('Enter')
    await page.getByText('You approved the step "Document"').waitFor()
    expect(await focused(page)).toContain('The status of the attempt is "Active" now.')
    const decisions = page.getByRole('table', { name: 'Decisions' })
    await decisions.getByRole('cell', { name: 'The branch has compared' }).waitFor()
    const steps = page.getByRole('table', { name: 'Steps' })
    await steps.getByRole('cell', { name: 'Manually approved' }).waitFor()
    await steps.getByRole('row', { name: 'Selfie' }).getByText('Active').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('tells the second of two reviewers what the first decided', async () => {
    const first = await dashboard.open()
    await first.go('/verifications/idv_Fa1ledR1skChec')
    const second = await dashboard.open()
    await second.go('/verifications/idv_Fa1ledR1skChec')
    await decide(first.page, 'Reject step', 'The device is known.')
    await first.page.getByText('You rejected the step "Risk"').waitFor()
    await decide(second.page, 'Approve step', 'All is well.')
    const alert = second.page.getByRole('alert')
    await alert.getByText('Your decision was not saved.').waitFor()
    await alert.getByText('decided before you: Rejected risk').waitFor()
    await alert.getByText('The status of the attempt is "Failed" now.').waitFor()
    expect(await focused(second.page)).toContain('Your decision was not saved.')
    const decisions = second.page.getByRole('table', { name: 'Decisions' })
    await decisions.getByRole('cell', { name: 'The device is known.' }).waitFor()
    expect(await second.page.getByRole('button', { name: 'Approve step' }).count()).toBe(0)
    expect(await judgePage(second.page, 1280)).toEqual([])
    await second.page.getByRole('button', { name: 'Look at the new state' }).click()
    await alert.waitFor({ state: 'hidden' })
    expect(await focused(second.page)).toContain('Manually rejected')
    await first.close()
    await second.close()
    expect([...first.problems, ...second.problems]).toEqual([])
  })

  test('creates a retry, and cancels it', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/verifications/idv_Fa1ledSelf1eXY')
    await decide(page, 'Create retry', 'The picture was too dark.')
    await page.getByRole('status').getByText('A retry was created.').waitFor()
    await page.getByRole('link', { name: 'idv_Fa1ledSelf1eXY' }).waitFor()
    await decide(page, 'Cancel attempt', 'The user has withdrawn.')
    await page.getByText('The attempt was canceled.').waitFor()
    await go('/verifications')
    const table = page.getByRole('table', { name: 'Verifications' })
    expect(await table.getByRole('link', { name: 'applicant-selfie' }).count()).toBe(0)
    await close()
    expect(problems).toEqual([])
  })

  test('leads to the sign-in page when the session has ended', async () => {
    const { page, go, close } = await dashboard.open()
    await go('/verifications/idv_Pend1ngReview0')
    await page.context().clearCookies()
    await decide(page, 'Approve step', 'All is well.')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await close()
    const stranger = openByProgram(dashboard.service)
    const identity_verification_id = 'idv_Pend1ngReview0'
    const client_id = dashboard.service.client.clientId
    const answer = await stranger.send('dashboardVerificationGet', {
      client_id,
      identity_verification_id,
    })
    expect(answer.status).toBe(401)
  })
})

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

async function decide(page: Page, verb: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: verb }).click()
}

/** The name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLTextAreaElement | null
    return (at?.labels?.[0] ?? at)?.textContent?.trim() ?? ''
  })

/** Presses Tab until the focus is at something of this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`no stop is called ${name}`)
}
