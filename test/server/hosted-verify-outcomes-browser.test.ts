import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { go, type Kind, openPage } from '../support/hosted-browser.ts'
import type { Step } from '../support/identity-verification-fixtures.ts'
import { linkRequest } from '../support/link-visitor.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { type Doing, fill, look, next, useSample, usual, walk } from '../support/verify-browser.ts'
import { readAttempt, startAt } from '../support/verify-visitor.ts'

const chromium = findChromium('the outcomes of a verification in a browser')

let service: TestService
let tenant: Tenant
let origin = ''
let browser: Browser
beforeAll(async () => {
  if (!chromium) return
  service = await startService({ publicUrl: () => origin })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser(chromium)
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})
beforeEach(async () => {
  if (chromium) tenant = await service.tenant()
})

const phone: Kind = { width: 320, colorScheme: 'dark', javaScriptEnabled: true, hasTouch: true }
const kinds: [string, Kind][] = [
  ['with JavaScript, on a phone', phone],
  ['without JavaScript', { width: 1360, colorScheme: 'light', javaScriptEnabled: false }],
]

interface Case {
  steps: Step[]
  doing: Readonly<Record<string, Doing>>
  heading: RegExp
  status: string
}

const called = (family: string) => ({
  name: fill({ 'given-name': 'Maren', 'family-name': family }),
})
const [failed, review] = [/^Your identity could not be verified/, /^Your data is being reviewed/]
const data: Step[] = ['kyc_check', 'watchlist_screening', 'risk_check']
const document: Step[] = ['documentary_verification']
const cases: [name: string, Case][] = [
  ['Mismatch', { steps: data, doing: called('Mismatch'), heading: failed, status: 'failed' }],
  [
    'Mismatch and a document',
    {
      steps: ['kyc_check', ...document],
      doing: called('Mismatch'),
      heading: /^Your identity is verified/,
      status: 'success',
    },
  ],
  ['Review', { steps: data, doing: called('Review'), heading: review, status: 'pending_review' }],
  [
    'Expired',
    {
      steps: data,
      doing: called('Expired'),
      heading: /^This verification has expired/,
      status: 'expired',
    },
  ],
  ['Listed', { steps: data, doing: called('Listed'), heading: review, status: 'pending_review' }],
  ['Risky', { steps: data, doing: called('Risky'), heading: failed, status: 'failed' }],
  [
    'wrong codes',
    {
      steps: ['verify_sms'],
      doing: { code: fill({ 'one-time-code': '000000' }) },
      heading: failed,
      status: 'failed',
    },
  ],
  [
    'a forgery',
    {
      steps: document,
      doing: { front: useSample('document_failed') },
      heading: failed,
      status: 'failed',
    },
  ],
  [
    'three blurred pictures',
    {
      steps: document,
      doing: { front: useSample('document_blurred') },
      heading: failed,
      status: 'failed',
    },
  ],
  [
    'a doubtful face',
    {
      steps: ['selfie_check'],
      doing: { selfie: useSample('selfie_review') },
      heading: review,
      status: 'pending_review',
    },
  ],
]

describe.skipIf(!chromium).each(kinds)('in Chromium %s', (_kind, kind) => {
  test.each(cases)('the outcome is shown of %s', { timeout: 180_000 }, async (_name, one) => {
    const opened = await startAt(tenant, one.steps)
    const { page, problems, close } = await openPage(browser, origin, kind)
    await page.goto(origin + opened.path)
    const seen = await walk(page, { ...usual, ...one.doing })
    if (seen.at(-1) === 'waiting') {
      await tenant.control('sandboxClockAdvance', { seconds: 2 })
      await tenant.control('sandboxClockAdvance', { seconds: 2 })
      await page.waitForURL(/done$/)
    }
    await look(page, kind, one.heading)
    expect((await readAttempt(tenant, opened)).status).toBe(one.status)
    await close()
    expect(problems).toEqual([])
  })

  test('the pages without a way on say what to do', { timeout: 180_000 }, async () => {
    const opened = await startAt(tenant, ['accept_tos', 'kyc_check'])
    const first = await openPage(browser, origin, kind)
    await first.page.goto(origin + opened.path)
    await next(first.page)
    const tab = await first.page.context().newPage()
    await tab.goto(first.page.url())
    await usual['name']!(first.page)
    // A form of another tab, and what goes back and forward shows.
    await usual['name']!(tab)
    await look(tab, kind, /^This page is out of date/)
    await go(tab, 'main a.button')
    await look(tab, kind, /^When were you born/)
    await first.page.goBack()
    await look(first.page, kind, /^What is your name/)
    await first.page.goForward()
    await look(first.page, kind, /^When were you born/)

    const second = await openPage(browser, origin, kind)
    await second.page.goto(first.page.url())
    await look(second.page, kind, /^This verification goes on in another browser/)
    await second.page.goto(origin + opened.path)
    await look(second.page, kind, /^This link is open in another browser/)
    await go(second.page, 'main form button')
    await look(second.page, kind, /^What is your name/)
    await first.page.reload()
    await look(first.page, kind, /^You continued in another browser/)
    await go(second.page, '.ways li:last-child a')
    await look(second.page, kind, /^Leave for now/)
    await go(second.page, 'form button')
    await look(second.page, kind, /^You have left/)
    await second.page.goto(`${origin}${opened.path}0`)
    await look(second.page, kind, /^This link does not work/)

    await second.page.goto(origin + opened.path)
    await tenant.control('sandboxClockAdvance', { seconds: 24 * 3600 })
    await second.page.reload()
    await look(second.page, kind, /^Your time on this page is over/)
    await second.page.goto(origin + opened.path)
    await tenant.control('sandboxIdentityVerificationAdvance', {
      identity_verification_id: opened.attempt.id,
      outcome: 'canceled',
    })
    await second.page.reload()
    await look(second.page, kind, /^This verification was canceled/)
    const { client_user_id, template } = opened.attempt
    const again = { client_user_id, template_id: template.id }
    await tenant.control('sandboxIdentityVerificationRetry', again)
    await second.page.reload()
    await look(second.page, kind, /^A new verification has begun/)
    await go(second.page, 'main a.button')
    await look(second.page, kind, /^Verify your identity for/)
    await first.close()
    await second.close()
    expect([...first.problems, ...second.problems]).toEqual([])
  })

  test('a link token leads there and back', { timeout: 180_000 }, async () => {
    const steps: Step[] = ['accept_tos', 'selfie_check']
    const { template_id } = await tenant.control('sandboxIdentityVerificationTemplateCreate', {
      steps,
    })
    const { link_token, hosted_link_url } = await tenant.api
      .linkTokenCreate({
        ...linkRequest,
        language: 'de',
        products: ['identity_verification'],
        identity_verification: { template_id },
        hosted_link: { completion_redirect_uri: `${origin}/livez` },
      })
      .orThrow()
    const { page, problems, close } = await openPage(browser, origin, kind)
    await page.goto(hosted_link_url)
    await look(page, kind, /^Bestätigen Sie Ihre Identität für Larkspur & Lending/)
    await walk(page)
    await look(page, kind, /^Ihre Identität ist bestätigt/)
    await go(page, 'main a.button')
    expect(page.url()).toBe(`${origin}/livez`)
    await close()
    expect(problems).toEqual([])
    const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(link_sessions).toMatchObject([{ exit: null, finished_at: expect.any(String) }])
  })
})

test.skipIf(!chromium)('the page is shown in no frame', async () => {
  const opened = await startAt(tenant, ['accept_tos'])
  const { page, close } = await openPage(browser, origin, phone)
  await page.goto(`${origin}/docs/`)
  await page.setContent(`<iframe src="${origin}${opened.path}"></iframe>`)
  const frames = (shown: Page) => shown.frames().map((frame) => frame.url())
  await expect.poll(() => frames(page)).toContain('chrome-error://chromewebdata/')
  await close()
})
