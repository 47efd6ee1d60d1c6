import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/build/dashboard.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { launchBrowser } from '../support/browser.ts'
import { link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startWorld } from '../support/service.ts'

type World = Awaited<ReturnType<typeof startWorld>>

/** The dashboard of a sandbox on this machine, in a browser. */
export interface Dashboard {
  service: World
  receiver: Receiver
  /** Opens a window; what went wrong in it is collected. */
  open(options?: BrowserContextOptions): Promise<Window>
  close(): Promise<void>
}

export interface Window {
  page: Page
  /** What the browser complains of, and what the page asked of others than the service. */
  problems: string[]
  /** Goes to a path below `/dashboard`, and waits until its data is there. */
  go(path: string): Promise<void>
  close(): Promise<void>
}

const fewestRows = 3

/** Starts a service with the default seed data, and does what fills each list. */
export async function openDashboard(chromium: string): Promise<Dashboard> {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  await buildDashboard(folder)
  let origin = ''
  const service = await startWorld({
    publicUrl: () => origin,
    dashboardFolder: join(folder, 'dashboard'),
  })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const receiver = await startReceiver()
  await fill(service, receiver)
  const browser = await launchBrowser(chromium)
  return {
    service,
    receiver,
    open: (options) => openWindow(browser, origin, options),
    async close() {
      await browser.close()
      await service.close()
      await receiver.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** An Item that needs its user, with webhooks that arrived and calls that failed. */
async function fill({ client }: World, receiver: Receiver): Promise<void> {
  const item = { access_token: readyAccessToken }
  await client.api.itemWebhookUpdate({ ...item, webhook: receiver.url }).orThrow()
  for (let row = 0; row < fewestRows; row += 1) {
    await client.control('sandboxItemFireWebhook', {
      ...item,
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
    })
  }
  await receiver.arrivals(fewestRows)
  await fillData(client)
  await client.control('sandboxItemResetLogin', item)
  await client.api.transactionsSync({ ...item, count: 501 })
  await client.api.accountsGet(item)
}

/** Reports that are ready and one that failed, and users with an identity. */
async function fillData(client: World['client']): Promise<void> {
  const initial_products: ['assets'] = ['assets']
  for (let row = 0; row < fewestRows; row += 1) {
    const { user_token } = await client.api
      .userCreate({
        client_user_id: `maren-talvik-${row}`,
        identity: {
          name: { given_name: 'Maren', family_name: 'Talvik' },
          date_of_birth: '1991-07-23',
          emails: ['maren.talvik@example.com'],
          id_numbers: [{ value: '900123456', type: 'us_ssn' }],
        },
      })
      .orThrow()
    const { access_token } = await link(client, { initial_products, user_token })
    if (row === 1) await client.control('sandboxItemResetLogin', { access_token })
    await client.api
      .assetReportCreate({
        access_tokens: [access_token],
        days_requested: 60,
        options: {
          client_report_id: `loan-${row}`,
          user: { client_user_id: `maren-talvik-${row}`, first_name: 'Maren', last_name: 'Talvik' },
        },
      })
      .orThrow()
  }
}

async function openWindow(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  // Colors that fade are judged half-way otherwise.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // Chromium reports statuses itself: without a session the first answer is a 401.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isStatus) problems.push(message.text())
  })
  return {
    page,
    problems,
    async go(path) {
      await page.goto(`${origin}/dashboard${path}`)
      await page.locator('h1').waitFor()
      await page.locator('main:not(:has(.loading))').waitFor()
    },
    close: () => context.close(),
  }
}
