import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDashboard } from '../../scripts/build/dashboard.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { createLink } from '../support/dashboard-browser.ts'
import { type Kind, openPage } from '../support/hosted-browser.ts'
import { startGateway, type TestGateway } from '../support/identity-gateway.ts'
import { newTenant } from '../support/operator.ts'
import { jpegOf, pngOf } from '../support/pictures.ts'
import { newTemplate } from '../support/provider-attempts.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { redirectHttps } from '../support/redirect-https.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  fill,
  look,
  lookAtWaiting,
  next,
  sendFile,
  usual,
  walk,
} from '../support/verify-browser.ts'

const chromium = findChromium('a verification in production in a browser')
const served = ['verify_sms', 'documentary_verification', 'selfie_check', 'watchlist_screening']
const steps = ['accept_tos', 'kyc_check', ...served]

let gateway: TestGateway
let receiver: Receiver
let service: TestService
let tenant: Tenant
let browser: Browser
let origin = ''
let endRedirect = () => {}
let folder = ''
beforeAll(async () => {
  if (!chromium) return
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  await buildDashboard(folder)
  gateway = await startGateway(Date.now)
  gateway.steps = served
  gateway.answers['verify_sms'] = { status: 'sent' }
  receiver = await startReceiver()
  endRedirect = redirectHttps('lender.example.com', receiver.url)
  const identityGateway = { url: gateway.url, steps: served, isPrivate: true, timeoutMs: 10_000 }
  service = await startService({
    settings: { environment: 'production', reportDelayMs: 0, identityGateway },
    publicUrl: () => origin,
    dashboardFolder: join(folder, 'dashboard'),
  })
  tenant = await newTenant(service, { webhook: 'https://lender.example.com/webhooks' })
  gateway.client = tenant.api
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser(chromium)
})
afterAll(async () => {
  endRedirect()
  await browser?.close()
  await service?.close()
  await gateway?.close()
  await receiver?.close()
  if (folder) rmSync(folder, { recursive: true })
})

const kind: Kind = { width: 320, colorScheme: 'light', javaScriptEnabled: false, hasTouch: true }

/** The code that the gateway was to send. */
async function sentCode(): Promise<string> {
  const codes = () =>
    gateway.calls.flatMap(({ message }) => (message ? [(message as { code: string }).code] : []))
  await expect.poll(() => codes().length).toBeGreaterThan(0)
  return codes().at(-1) ?? ''
}

/** Answers the check that the gateway works on, which asks again by itself. */
async function settle(step: string, answer: object): Promise<void> {
  gateway.answers[step] = { ...answer }
  await expect
    .poll(async () => {
      await service.service.runner.runDue(tenant.clientId)
      return gateway.calls.some((call) => call['step'] === step)
    })
    .toBe(true)
}

const events = () => receiver.received.map(({ body }) => JSON.parse(body.toString()))

describe.skipIf(!chromium)('a verification in production', () => {
  test('goes through a gateway, and to a reviewer, whose approval arrives as a webhook', {
    timeout: 300_000,
  }, async () => {
    const template_id = await newTemplate(service, tenant, steps)
    const attempt = await tenant.api
      .identityVerificationCreate({
        client_user_id: 'borrower-7f3a',
        template_id,
        is_shareable: true,
        gave_consent: false,
      })
      .orThrow()
    // Otherwise the pauses become longer than a page is waited for.
    for (const step of ['documentary_verification', 'selfie_check', 'watchlist_screening']) {
      gateway.answers[step] = { retry_after_seconds: 1 }
    }
    const { page, problems, close } = await openPage(browser, origin, kind)
    await page.goto(attempt.shareable_url ?? '')
    await look(page, kind, /^Verify your identity for/)
    expect(await page.locator('.banner, .note').count()).toBe(0)
    await next(page)
    await fill({ tel: '+1 415 555 0142' })(page)
    const code = await sentCode()
    expect(code).toMatch(/^\d{6}$/)
    const wrong = code === '000000' ? '111111' : '000000'
    await fill({ 'one-time-code': wrong })(page)
    await look(page, kind, /^Enter the code/)
    await fill({ 'one-time-code': code })(page)
    const { answers: _, ...person } = usual
    const seen = await walk(page, person)
    expect(seen).toEqual(['name', 'birth', 'country', 'address', 'number', 'answers'])
    await next(page)
    // Nobody compares the data: a reviewer does.
    await look(page, kind, /^Your data is being reviewed/)
    await approve(attempt.id)
    await page.goto(attempt.shareable_url ?? '')
    await look(page, kind, /^Which document/)
    await usual['document']!(page)
    await sendFile(pngOf(800, 500), 'front.png', 'camera')(page)
    await look(page, kind, /^Back of your document/)
    await sendFile(jpegOf(800, 500), 'back.jpg')(page)
    await lookAtWaiting(page, kind)
    await settle('documentary_verification', { status: 'success' })
    await page.waitForURL(/selfie$/)
    await look(page, kind, /^A picture of your face/)
    await sendFile(jpegOf(600, 800), 'face.jpg', 'camera')(page)
    await settle('selfie_check', { status: 'success' })
    await settle('watchlist_screening', { status: 'pending_review' })
    await page.waitForURL(/done$/)
    await look(page, kind, /^Your data is being reviewed/)

    await approve(attempt.id, 'Watchlist')
    await page.goto(attempt.shareable_url ?? '')
    await look(page, kind, /^Your identity is verified/)
    await close()
    expect(problems).toEqual([])
    const { identity_verifications } = await tenant.api
      .identityVerificationList({ template_id })
      .orThrow()
    expect(identity_verifications[0]).toMatchObject({
      status: 'success',
      steps: { kyc_check: 'manually_approved', watchlist_screening: 'manually_approved' },
    })
    const told = { webhook_type: 'IDENTITY_VERIFICATION', identity_verification_id: attempt.id }
    await expect
      .poll(() => events().filter(({ webhook_code }) => webhook_code === 'STATUS_UPDATED').length)
      .toBe(4)
    for (const event of events())
      expect(event).toMatchObject({ ...told, environment: 'production' })
    for (const { body, headers } of receiver.received) {
      await verifyWebhook(new Uint8Array(body), headers, { client: tenant.api })
    }
  })
})

/** Has a reviewer approve the step that waits, in the dashboard. */
async function approve(id: string, step?: string): Promise<void> {
  const { key } = await createLink(service, { client_id: tenant.clientId, role: 'reviewer' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page: Page = await context.newPage()
  await page.goto(`${origin}/dashboard/sign-in#key=${key}`)
  await page.waitForURL((url) => !url.pathname.endsWith('sign-in'))
  await page.goto(`${origin}/dashboard/verifications/${id}`)
  await page.getByRole('button', { name: 'Approve step' }).click()
  const dialog = page.getByRole('dialog')
  if (step) expect(await dialog.innerText()).toContain(step)
  await dialog.getByLabel('Reason').fill('The branch has compared the document with the person.')
  await dialog.getByRole('button', { name: 'Approve step' }).click()
  await page.getByText('You approved the step').waitFor()
  await context.close()
}
