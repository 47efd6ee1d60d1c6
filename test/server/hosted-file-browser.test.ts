import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { check, go, kinds, openPage, tabTo, type } from '../support/hosted-browser.ts'
import { longStatement, writeStatement } from '../support/import-file.ts'
import { linkRequest } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

const chromium = findChromium('the page for a file in a browser')

let service: TestService
let tenant: Tenant
let origin = ''
let browser: Browser
beforeAll(async () => {
  if (!chromium) return
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  service = await startService({ settings, publicUrl: () => origin })
  await listBuiltInInstitutions(service.service)
  tenant = await newTenant(service)
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser(chromium)
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const lines = ['2026-01-05,Coffee,-12.50', '2026-01-06,Cake,abc', '2026-02-07,Tea,-2.00']
const csv = `Date,Description,Amount\n${lines.join('\n')}\n`

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.setInputFiles('#file', { name, mimeType: '', buffer: Buffer.from(text) })
  await go(page, 'main form button')
}

describe.skipIf(!chromium)('the page for a file in Chromium', () => {
  test.each(kinds)('is walked by keyboard, and breaks no rule: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const made = await tenant.api.linkTokenCreate(linkRequest).orThrow()
    await page.goto(made.hosted_link_url)
    await check(page, kind, /^Connect your accounts/)
    await go(page, 'main form button')
    await check(page, kind, /^Choose your institution/)
    await go(page, 'button[value=ins_100000]')
    await check(page, kind, /^Send a file from your bank/)
    await go(page, 'main form button')
    await check(page, kind, /^Send a file/)
    await go(page, '.errors a')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('file')
    await choose(page, 'january.pdf', '%PDF-1.7')
    await check(page, kind, /^Send a file/)
    await choose(page, 'january.csv', csv)
    await check(page, kind, /^About your account/)
    await go(page, 'main form button')
    await check(page, kind, /^About your account/)
    await tabTo(page, '#kind-0')
    await page.keyboard.type('Ch')
    await type(page, '#number-0', 'DE89 3704 0044 0532 0130 00')
    await type(page, '#currency-0', 'eur')
    await type(page, '#balance-0', '1.310,25')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await check(page, kind, /^Choose the accounts/)
    await go(page, '.ways li:first-child a')
    await check(page, kind, /^About your account/)
    await go(page, '.ways li:first-child a')
    await check(page, kind, /^Send a file/)
    await page.goBack()
    await page.goBack()
    await check(page, kind, /^Choose the accounts/)
    await tabTo(page, 'input[type=checkbox]')
    await page.keyboard.press('Space')
    await go(page, 'main form button')
    await check(page, kind, /^Choose the accounts/)
    await tabTo(page, 'input[type=checkbox]')
    if (!(await page.isChecked('input[type=checkbox]'))) await page.keyboard.press('Space')
    await go(page, 'main form button')
    await check(page, kind, /^Your accounts are connected/)
    await close()
    expect(problems).toEqual([])
  })

  test.each(kinds)('waits for a large file, and goes on by itself: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const request = { ...linkRequest, institution_id: 'ins_100000' }
    const made = await tenant.api.linkTokenCreate(request).orThrow()
    await page.goto(made.hosted_link_url)
    await go(page, 'main form button')
    await choose(page, 'long.xml', writeStatement('CAMT.053 version 2', longStatement(3000)))
    await page.selectOption('#kind-0', 'checking')
    await go(page, 'main form button')
    const held = vi.spyOn(service.service.clockGuard, 'isRight').mockReturnValue(false)
    await go(page, 'main form button')
    await check(page, kind, /^Adding your transactions: 68 %/)
    await page.goBack()
    await check(page, kind, /^Adding your transactions/)
    held.mockRestore()
    service.service.runner.wake()
    await page.waitForURL(/done$/)
    await check(page, kind, /^Your accounts are connected/)
    await close()
    expect(problems).toEqual([])
  })

  test.each(kinds)('asks what the columns of an unknown table are: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const request = { ...linkRequest, institution_id: 'ins_100000' }
    const made = await tenant.api.linkTokenCreate(request).orThrow()
    await page.goto(made.hosted_link_url)
    await go(page, 'main form button')
    const rows = [
      '15.01.2026;-12,50;Kaffee am Hafen von Larkspur;Tide Coffee',
      '16.01.2026;2,00;Pfand;',
    ]
    await choose(page, 'strange.csv', `Tag;Wert;Ding;Partner\n${rows.join('\n')}\n`)
    await check(page, kind, /^Say what the columns/)
    await tabTo(page, '.preview')
    await page.selectOption('#amount', '')
    await go(page, 'main form button')
    await check(page, kind, /^Say what the columns/)
    await go(page, '.errors a')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('amount')
    await page.selectOption('#amount', '2')
    await go(page, 'main form button')
    await check(page, kind, /^About your account/)
    await go(page, '.ways li:first-child a')
    await check(page, kind, /^Say what the columns/)
    await go(page, 'button[name=another]')
    await check(page, kind, /^Send a file/)
    await close()
    expect(problems).toEqual([])
  })

  test.each(kinds)('takes another file in update mode, in German: %o', async (kind) => {
    const { page, problems, close } = await openPage(browser, origin, kind)
    const request = { ...linkRequest, language: 'de' as const, institution_id: 'ins_100000' }
    const made = await tenant.api.linkTokenCreate(request).orThrow()
    await page.goto(made.hosted_link_url)
    await go(page, 'main form button')
    await check(page, kind, /^Senden Sie eine Datei Ihrer Bank/)
    await choose(page, 'january.csv', csv)
    await check(page, kind, /^Zu Ihrem Konto/)
    await page.selectOption('#kind-0', 'card')
    await page.fill('#number-0', '1234')
    await page.fill('#currency-0', 'EUR')
    await page.fill('#balance-0', '-310,25')
    await go(page, 'main form button')
    await check(page, kind, /^Wählen Sie die Konten/)
    await go(page, 'main form button')
    await check(page, kind, /^Ihre Konten sind verbunden/)
    const { link_sessions } = await tenant.api
      .linkTokenGet({ link_token: made.link_token })
      .orThrow()
    const public_token = link_sessions[0]?.results?.item_add_results[0]?.public_token ?? ''
    const { access_token } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    const { products: _, institution_id: __, ...again } = request
    const update = await tenant.api.linkTokenCreate({ ...again, access_token }).orThrow()
    await page.goto(update.hosted_link_url)
    await check(page, kind, /^Senden Sie eine weitere Datei/)
    await choose(page, 'january.csv', csv)
    await check(page, kind, /^Prüfen Sie, was die Datei enthält/)
    await go(page, 'main form button')
    await check(page, kind, /^Ihre Verbindung ist auf dem neuesten Stand/)
    await close()
    expect(problems).toEqual([])
  })
})
