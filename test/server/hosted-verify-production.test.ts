import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { samplePicture } from '../../src/server/identity-verification/pictures/samples.ts'
import { startGateway, type TestGateway } from '../support/identity-gateway.ts'
import { linkRequest, type Visitor } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { pngOf } from '../support/pictures.ts'
import { newTemplate, read } from '../support/provider-attempts.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { answerAll, answersOf, pathOf, visit } from '../support/verify-visitor.ts'

// The page of a verification where people are real: nothing is invented.

const served = ['verify_sms', 'documentary_verification', 'selfie_check']
let now = Date.parse('2026-03-16T12:00:00Z')
let gateway: TestGateway
let service: TestService
let tenant: Tenant
beforeEach(async () => {
  gateway = await startGateway(() => now)
  gateway.steps = served
  gateway.answers['verify_sms'] = { status: 'sent' }
  const identityGateway = { url: gateway.url, steps: served, isPrivate: true, timeoutMs: 5000 }
  service = await startService({
    clock: () => now,
    settings: { environment: 'production', reportDelayMs: 0, identityGateway },
  })
  tenant = await newTenant(service)
  gateway.client = tenant.api
})
afterEach(async () => {
  await service.close()
  await gateway.close()
})

const runDue = () => service.service.runner.runDue(tenant.clientId)

let people = 0
async function open(steps: string[]) {
  const template_id = await newTemplate(service, tenant, steps)
  people += 1
  const attempt = await tenant.api
    .identityVerificationCreate({
      client_user_id: `person-${people}`,
      template_id,
      is_shareable: true,
      gave_consent: true,
    })
    .orThrow()
  const path = pathOf(attempt)
  return { attempt, path, person: await visit(service, path) }
}

const sendTo = async (person: Visitor, tel: string) => {
  await person.send({ tel })
  return person.last()
}

/** The codes that the gateway was to send. */
const codes = () =>
  gateway.calls.flatMap(({ message }) => (message ? [(message as { code: string }).code] : []))

describe('in production', () => {
  test('what a person says is kept, and waits for a reviewer', async () => {
    const { attempt, person } = await open(['accept_tos', 'kyc_check'])
    expect(person.last().html).not.toMatch(/sandbox|For your tests|class="banner"/i)
    await answerAll(person, answersOf('Mismatch'))
    expect(person.last().heading).toBe('Your data is being reviewed')
    expect(await read(tenant, attempt)).toMatchObject({
      status: 'pending_review',
      steps: { kyc_check: 'pending_review' },
      kyc_check: null,
      user: { name: { family_name: 'Mismatch' }, id_number: { value: '900123456' } },
    })
    expect(gateway.calls).toEqual([])
  })

  test('a code has six digits of chance, and the one of the sandbox is wrong', async () => {
    const { person } = await open(['verify_sms'])
    await sendTo(person, '+14155550199')
    await runDue()
    const [code = ''] = codes()
    expect(code).toMatch(/^\d{6}$/)
    expect(person.last().html).not.toContain(code)
    await person.send({ 'one-time-code': code === '123456' ? '654321' : '123456' })
    expect(person.last().html).toContain('The code is wrong')
    await person.send({ 'one-time-code': code })
    expect(person.last().heading).toBe('Your identity is verified')
  })

  test('a number gets five messages an hour, whoever asks for them', async () => {
    const first = (await open(['verify_sms'])).person
    await sendTo(first, '+14155550142')
    for (let sent = 1; sent < 4; sent += 1) await first.send({ again: 'yes' })
    const second = (await open(['verify_sms'])).person
    expect((await sendTo(second, '+1 (415) 555-0142')).heading).toBe('Enter the code')
    await second.send({ again: 'yes' })
    expect(second.last().html).toContain('Too many messages were sent. Wait an hour')
    expect((await sendTo((await open(['verify_sms'])).person, '+14155550143')).heading).toBe(
      'Enter the code',
    )
    now += 3_600_000
    await second.open(second.last().path)
    await second.send({ again: 'yes' })
    expect(second.last().html).not.toContain('Too many messages')
  })

  test('the messages are counted in the store, which all processes share', async () => {
    const { person } = await open(['verify_sms'])
    await sendTo(person, '+14155550142')
    await person.send({ again: 'yes' })
    const rows = await service.service.database.read((db) =>
      db.all<{ subject: string; calls: number }>(
        `select subject, calls from rate_windows where client_id = $1 and subject like 'sms %'
          order by subject`,
        [tenant.clientId],
      ),
    )
    expect(rows).toEqual([
      { subject: expect.stringMatching(/^sms by \S+$/), calls: 2 },
      { subject: expect.stringMatching(/^sms to \S+$/), calls: 2 },
    ])
    expect(JSON.stringify(rows)).not.toContain('5550142')
  })

  test('an address causes twenty messages an hour, to whatever numbers', async () => {
    const shown: string[] = []
    for (let number = 10; number < 31; number += 1) {
      const { person } = await open(['verify_sms'])
      shown.push((await sendTo(person, `+141555501${number}`)).html)
    }
    const isLate = (html: string) => html.includes('Too many messages were sent')
    expect(shown.map(isLate)).toEqual([...Array(20).fill(false), true])
  })

  test('no sample is taken for a picture that decides', async () => {
    const { attempt, person, path } = await open(['documentary_verification'])
    await person.send({ kind: 'passport', country: 'US' })
    await person.send({ sample: 'document' })
    expect(person.last().html).toContain('Choose a picture')
    expect(person.last().html).not.toContain('data:image')
    const bytes = samplePicture('document_failed')
    await person.upload({ name: 'a.png', bytes })
    expect(person.last().heading).toBe('Your data is being checked')
    gateway.answers['documentary_verification'] = { status: 'success' }
    await runDue()
    // The service may have asked before, and asks again later.
    now += 60_000
    await runDue()
    expect((await person.open(path)).heading).toBe('Your identity is verified')
    expect((await read(tenant, attempt)).status).toBe('success')
  })

  test('pictures that are of no use can be sent three times', async () => {
    const { attempt, person } = await open(['selfie_check'])
    gateway.answers['selfie_check'] = { status: 'again', flaw: 'glaring' }
    for (const said of ['You have 2 tries', 'This is your last try']) {
      await person.upload({ name: 'a.png', bytes: pngOf() })
      await runDue()
      await person.open(person.last().path)
      expect(person.last().html).toContain('The last picture has reflections')
      expect(person.last().html).toContain(said)
    }
    await person.upload({ name: 'a.png', bytes: pngOf() })
    await runDue()
    expect((await person.open(person.last().path)).heading).toBe(
      'Your identity could not be verified',
    )
    expect(await read(tenant, attempt)).toMatchObject({
      status: 'failed',
      steps: { selfie_check: 'failed' },
    })
  })

  test('a template with a step that nobody serves cannot be used, also by a link token', async () => {
    const template_id = await newTemplate(service, tenant, ['accept_tos', 'risk_check'])
    const { error } = await tenant.api.linkTokenCreate({
      ...linkRequest,
      products: ['identity_verification'],
      identity_verification: { template_id },
    })
    expect(error).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message:
        '`identity_verification.template_id` must name a template whose steps are served; no provider serves `risk_check`',
    })
  })
})
