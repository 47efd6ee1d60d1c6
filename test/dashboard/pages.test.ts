import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { findChromium } from '../support/browser.ts'
import { judgePage } from '../support/judge-page.ts'
import { type Dashboard, openDashboard } from './browsing.ts'

const chromium = findChromium('the dashboard in a browser')

describe.skipIf(!chromium)('the dashboard in Chromium', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard(chromium!)
  })
  afterAll(() => dashboard?.close())

  test('signs in the user of this machine, and leads to what is wrong with an Item', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/items')
    expect(await page.locator('h1').innerText()).toBe('Items')
    const rows = page.getByRole('table', { name: 'Items' }).getByRole('row')
    await expect.poll(() => rows.count()).toBeGreaterThan(20)
    await page.getByLabel('Health').selectOption('With an error')
    await page.waitForURL('**/items?health=unhealthy')
    await expect.poll(() => page.getByText('Healthy', { exact: true }).count()).toBe(1)
    // The latest have no transactions yet.
    // Where a code can break, its name has a space.
    const broken = page.getByRole('row', { name: /ITEM_\s?LOGIN_\s?REQUIRED/ })
    await broken.last().getByRole('link').click()
    await page.getByText('What to do:').waitFor()
    // Backticks of the contract's words become code.
    await page.locator('.advice code', { hasText: '/link/token/create' }).waitFor()
    const accounts = page.getByRole('table', { name: 'Accounts' }).getByRole('row')
    await expect.poll(() => accounts.count()).toBeGreaterThan(1)
    await page
      .getByRole('img', { name: /^Balance by day, as a line: from / })
      .locator('canvas')
      .waitFor()
    const days = page.getByRole('table', { name: 'Balance by day' })
    await page.getByText('Figures as a table').click()
    await expect.poll(() => days.getByRole('row').count()).toBeGreaterThan(10)
    const transactions = page.getByRole('table', { name: 'Transactions' }).getByRole('row')
    const more = page.getByRole('button', { name: 'Load more' })
    await more.waitFor()
    const before = await transactions.count()
    await more.click()
    await expect.poll(() => transactions.count()).toBeGreaterThan(before)
    await close()
    expect(problems).toEqual([])
  })

  test('breaks an Item of the sandbox, and repairs it', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/items?health=healthy')
    await page.locator('tbody a').first().click()
    await page.getByRole('button', { name: 'Break Item' }).click()
    const dialog = page.getByRole('dialog', { name: 'Which error does the Item get?' })
    await dialog.getByLabel('Error').selectOption('ITEM_LOCKED')
    await dialog.getByRole('button', { name: 'Set error' }).click()
    await page.getByText('The institution locked the user out').waitFor()
    await page.getByRole('button', { name: 'Repair Item' }).click()
    await page.getByRole('button', { name: 'Break Item' }).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('says why a call failed, and sends it again', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/requests')
    await page.getByLabel('Outcome').selectOption('Failed')
    await page.waitForURL('**/requests?outcome=failed')
    await page.reload()
    expect(await page.getByLabel('Outcome').inputValue()).toBe('failed')
    await page.getByRole('link', { name: 'transactionsSync' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Request transactionsSync' }).waitFor()
    const faults = page.getByRole('table', { name: 'Faulty fields' })
    await faults.getByRole('cell', { name: 'count', exact: true }).waitFor()
    expect(await page.getByLabel('Request body').last().innerText()).toContain('"count": 501')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sent again from').waitFor()
    await page.getByRole('status').getByText('Sent again: answered with').waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('finds calls by path, class of status and id, and leads back to the filtered list', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/requests')
    await page.getByText('are not listed: they belong to no client').waitFor()
    await page.getByLabel('Operation').fill('/transactions/sync')
    await page.getByLabel('Status').fill('4xx')
    await page.getByLabel('Code').fill('invalid_field')
    await page.getByLabel('Code').press('Enter')
    await page.waitForURL(/operation=\/transactions\/sync&status=4xx&code=invalid_field/)
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
    // Another test may have sent the call again.
    await expect.poll(() => rows.count()).toBeLessThan(4)
    const found = await rows.count()
    const id = await rows.last().locator('code').first().innerText()
    await rows.last().getByRole('link', { name: 'transactionsSync' }).click()
    await page.getByText('without the client id and the secret').waitFor()
    const docs = page.getByRole('link', { name: /docs\/errors/ })
    expect(await docs.getAttribute('href')).toMatch(/^http:.*INVALID_FIELD/i)
    await page.getByRole('link', { name: '← Requests' }).click()
    await page.waitForURL(/status=4xx/)
    await expect.poll(() => rows.count()).toBe(found)
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(3)
    await page.getByLabel('Request id').fill(id)
    await page.getByLabel('Request id').press('Enter')
    await expect.poll(() => rows.count()).toBe(2)
    await close()
    expect(problems).toEqual([])
  })

  test.each([
    ['/requests?status=9xx', 'Status', 'Enter a status such as 404'],
    ['/requests?operation=walet', 'Operation', 'No operation has this name or path.'],
    ['/requests?operation=e', 'Operation', 'operations fit. Enter more of the name.'],
    ['/requests?code=NONE', 'Code', 'The service has no such error code.'],
    ['/requests?id=%25', 'Request id', 'A request id has letters and digits only.'],
    ['/requests?outcome=lost', 'Outcome', 'Choose one of the values in the list.'],
    ['/requests?from=yesterday', 'From', 'Enter a day and a time.'],
    ['/webhooks?status=lost', 'Status', 'Choose one of the values in the list.'],
    ['/webhooks?code=a-b', 'Code', 'A webhook code has letters'],
    ['/items?health=ill', 'Health', 'Choose one of the values in the list.'],
    ['/verifications?show=some', 'Show', 'Choose one of the values in the list.'],
    ['/audit?to=now', 'To', 'Enter a day and a time.'],
    ['/data/transfers?type=both', 'Type', 'Choose one of the values in the list.'],
    ['/data/wallets?currency=USD', 'Currency', 'Choose one of the values in the list.'],
    ['/data/reports?status=lost', 'Status', 'Choose one of the values in the list.'],
    ['/data/institutions?country=USA', 'Country', 'Enter a country code of two letters'],
  ])('says at the field why a filter cannot be used: %s', async (path, label, problem) => {
    const { page, problems, go, close } = await dashboard.open()
    await go(path)
    await page.getByRole('alert').getByText(problem).waitFor()
    const field = page.getByLabel(label, { exact: true })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('A filter has a value that cannot be used.').waitFor()
    expect(await judgePage(page, 1280)).toEqual([])
    await close()
    expect(problems).toEqual([])
  })

  test('says on the page of a request that its answer was injected', async () => {
    const { page, problems, go, close } = await dashboard.open()
    const { client } = dashboard.service
    const error_code = 'INTERNAL_SERVER_ERROR'
    await client.control('sandboxErrorInject', { operation: '/wallet/list', error_code })
    const { body } = await client.post('/wallet/list', {})
    await go(`/requests/${body['request_id']}`)
    await page.getByText('This answer was injected').waitFor()
    expect(await judgePage(page, 1280)).toEqual([])
    await close()
    expect(problems).toEqual([])
  })

  test('counts in the overview what the lists have', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/')
    const tile = (name: string) => page.locator('.tile', { hasText: name }).locator('dd')
    const waiting = Number.parseInt(await tile('To review').innerText(), 10)
    const counted = await page.getByRole('table', { name: 'Items by health' }).innerText()
    const items = [...counted.matchAll(/\t\s*(\d+)\s*$/gm)].map(([, number]) => Number(number))
    await go('/verifications')
    await page.getByText(`${waiting} attempts`, { exact: true }).waitFor()
    await go('/items')
    const more = page.getByRole('button', { name: 'Load more' })
    if (await more.isVisible()) await more.click()
    const all = items.reduce((sum, one) => sum + one, 0)
    await page.getByText(`${all} Items`, { exact: true }).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('shows in the overview what happened today', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/')
    const operations = page.getByRole('table', { name: 'Calls by operation' })
    await operations.getByRole('link', { name: 'transactionsSync' }).waitFor()
    await page
      .getByRole('img', { name: /^Calls by hour/ })
      .locator('canvas')
      .waitFor()
    await page.getByText('Figures as a table').click()
    await page.getByRole('table', { name: 'Calls by hour' }).waitFor()
    const codes = page.getByRole('table', { name: 'Errors by code' })
    await codes.getByRole('link').first().click()
    await page.waitForURL(/\/requests\?code=/)
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('finds an Item by a token, and says when there is none', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/items')
    const field = page.getByLabel('Find an Item by any id or token')
    await field.fill('nothing of this name')
    await field.press('Enter')
    await page.getByRole('alert').getByText('No Item was found').waitFor()
    const { accounts } = await dashboard.service.client.api
      .accountsGet({ access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' })
      .orThrow()
    await field.fill(accounts[0]!.account_id)
    await page.getByRole('button', { name: 'Find Item' }).click()
    await page.getByText(accounts[0]!.account_id).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('sends a webhook again, and shows the new attempt', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/webhooks?code=SYNC_UPDATES_AVAILABLE')
    await page.getByRole('link', { name: 'SYNC_UPDATES_AVAILABLE' }).first().click()
    const attempts = page.getByRole('table', { name: 'Attempts' }).getByRole('row')
    await expect.poll(() => attempts.count()).toBe(2)
    const before = dashboard.receiver.received.length
    await page.getByRole('button', { name: 'Send again' }).click()
    const result = 'Attempt 2 was delivered: the receiver answered 200'
    await page.getByRole('status').getByText(result).waitFor()
    await dashboard.receiver.arrivals(before + 1)
    await expect.poll(() => attempts.count()).toBe(3)
    await attempts.last().getByText('sent again by hand').waitFor()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await go('/audit')
    await page.getByRole('cell', { name: 'webhook.redeliver' }).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('asks to sign in again after signing out', async () => {
    const { page, problems, go, close } = await dashboard.open()
    await go('/audit')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
    await page.getByRole('button', { name: 'Sign in on this machine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('is shown in no frame of another page', async () => {
    const { page, go, close } = await dashboard.open()
    await go('/audit')
    const own = page.url()
    const foreign = 'http://elsewhere.example.com/'
    const body = `<iframe title="dashboard" src="${own}"></iframe>`
    await page.route(foreign, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(foreign)
    const frame = page.frames()[1]
    await frame?.waitForLoadState()
    expect(frame?.url()).toMatch(/^chrome-error:/)
    expect(await page.frameLocator('iframe').locator('h1', { hasText: 'Audit' }).count()).toBe(0)
    await close()
  })

  test('is told what has changed by one stream for all tabs, and asks again without it', async () => {
    const { page, problems, go, close } = await dashboard.open()
    const streams: string[] = []
    const note = (request: { url(): string }) => {
      if (request.url().includes('/dashboard/api/changes')) streams.push(request.url())
    }
    const context = page.context()
    context.on('request', note)
    const opened = page.waitForResponse('**/dashboard/api/changes*')
    await go('/webhooks')
    expect((await opened).status()).toBe(200)
    const tab = await context.newPage()
    await tab.goto(page.url())
    const rowsOf = (of: typeof page) => of.getByRole('table', { name: 'Webhooks' }).getByRole('row')
    await rowsOf(tab).nth(1).waitFor()
    const before = await rowsOf(tab).count()
    await dashboard.service.client.control('sandboxItemFireWebhook', {
      access_token: readyAccessToken,
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
    })
    await expect.poll(() => rowsOf(tab).count(), { timeout: 10_000 }).toBe(before + 1)
    expect(streams).toHaveLength(1)
    // The other tab takes the stream over.
    const taken = tab.waitForResponse('**/dashboard/api/changes*')
    await page.close()
    await taken
    await close()
    expect(problems).toEqual([])
  }, 30_000)
})
