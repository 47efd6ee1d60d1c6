import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stepNames } from '../../src/server/identity-verification/step.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { go, type Kind, openPage, pairs } from '../support/hosted-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  chooseFrom,
  chooseRadio,
  fill,
  look,
  lookAtWaiting,
  next,
  sendFile,
  useSample,
  usual,
} from '../support/verify-browser.ts'
import { readAttempt, startAt } from '../support/verify-visitor.ts'

const chromium = findChromium('the page of a verification in a browser')
const minutes = 300_000

const named = pairs.map((kind): [string, Kind] => {
  const { width, colorScheme, javaScriptEnabled } = kind
  return [`${width} px, ${colorScheme}${javaScriptEnabled ? '' : ', without JavaScript'}`, kind]
})

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

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id)

/** Follows the error at the top of a page to its field. */
async function followError(page: Page, id: string): Promise<void> {
  await go(page, '.errors a')
  await expect.poll(() => focusedId(page)).toBe(id)
}

describe.skipIf(!chromium)('the page of a verification in Chromium', () => {
  test.each(named)(
    'is walked by keyboard, and breaks no rule: %s',
    { timeout: minutes },
    async (_name, kind) => {
      const user = { email_address: 'maren.talvik@example.com' }
      const opened = await startAt(tenant, [...stepNames], { user })
      const { page, problems, close } = await openPage(browser, origin, kind)
      await page.goto(origin + opened.path)
      await look(page, kind, /^Verify your identity for/)
      await next(page)

      await look(page, kind, /^Confirm your phone number/)
      await next(page)
      await look(page, kind, /^Confirm your phone number/)
      await followError(page, 'tel')
      await fill({ tel: '415 555' })(page)
      await look(page, kind, /^Confirm your phone number/)
      await fill({ tel: '+1 415 555 0199' })(page)
      await look(page, kind, /^Confirm your phone number/)
      await usual['phone']!(page)

      await look(page, kind, /^Enter the code/)
      await next(page)
      await look(page, kind, /^Enter the code/)
      await followError(page, 'one-time-code')
      await fill({ 'one-time-code': '000000' })(page)
      await look(page, kind, /^Enter the code/)
      await go(page, 'button[name=again]')
      await look(page, kind, /^Enter the code/)
      await usual['code']!(page)

      await look(page, kind, /^What is your name/)
      await next(page)
      await look(page, kind, /^What is your name/)
      await followError(page, 'given-name')
      await usual['name']!(page)

      await look(page, kind, /^When were you born/)
      await fill({ 'bday-day': '31', 'bday-month': 'March', 'bday-year': '91' })(page)
      await look(page, kind, /^When were you born/)
      await followError(page, 'bday-month')
      await usual['birth']!(page)

      await look(page, kind, /^In which country/)
      await next(page)
      await look(page, kind, /^In which country/)
      await followError(page, 'country')
      await usual['country']!(page)

      await look(page, kind, /^What is your home address/)
      await fill({ 'address-level1': 'ZZ', 'postal-code': '970' })(page)
      await look(page, kind, /^What is your home address/)
      await followError(page, 'address-line1')
      await usual['address']!(page)

      await look(page, kind, /^Your official number/)
      await next(page)
      await look(page, kind, /^Your official number/)
      await followError(page, 'kind')
      await chooseRadio(page, 'kind', 'us_ssn')
      await fill({ number: '12' })(page)
      await look(page, kind, /^Your official number/)
      await followError(page, 'number')
      await usual['number']!(page)

      await look(page, kind, /^Check your answers/)
      await go(page, 'dd a')
      await look(page, kind, /^What is your name/)
      await next(page)
      await look(page, kind, /^Check your answers/)
      await next(page)

      await look(page, kind, /^Which document/)
      await chooseFrom(page, '#country', 'Choose')
      await next(page)
      await look(page, kind, /^Which document/)
      await followError(page, 'kind')
      await usual['document']!(page)
      await look(page, kind, /^Front of your document/)
      await go(page, 'form:has(#file) button')
      await look(page, kind, /^Front of your document/)
      await followError(page, 'file')
      await sendFile(Buffer.from('%PDF-1.7'), 'card.pdf')(page)
      await look(page, kind, /^Front of your document/)
      await useSample('document_blurred')(page)
      await look(page, kind, /^Which document/)
      await next(page)
      await look(page, kind, /^Front of your document/)
      await sendFile(undefined, 'card.png', kind.hasTouch ? 'camera' : 'file')(page)
      await look(page, kind, /^Back of your document/)
      await sendFile()(page)

      await look(page, kind, /^A picture of your face/)
      await go(page, '.ways li:last-child a')
      await look(page, kind, /^Leave for now/)
      await go(page, 'main p a.button')
      await useSample('selfie')(page)
      await lookAtWaiting(page, kind)
      await tenant.control('sandboxClockAdvance', { seconds: 2 })
      await tenant.control('sandboxClockAdvance', { seconds: 2 })
      // The page renews itself, without a script.
      await page.waitForURL(/done$/)
      await look(page, kind, /^Your identity is verified/)
      expect((await readAttempt(tenant, opened)).status).toBe('success')
      await close()
      expect(problems).toEqual([])
    },
  )
})
