import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stepNames } from '../../src/server/identity-verification/step.ts'
import type { Step } from '../support/identity-verification-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  type Answers,
  answerAll,
  answersOf,
  deliveredTo,
  readAttempt,
  startAt,
  visit,
} from '../support/verify-visitor.ts'

let service: TestService
let receiver: Receiver
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  tenant = await service.tenant()
})

const advanceClock = (seconds: number) => tenant.control('sandboxClockAdvance', { seconds })

/** Has the client's webhooks delivered to the receiver, at a path of its own. */
async function receive(): Promise<() => Promise<string[]>> {
  const url = `${receiver.url}/${tenant.clientId}`
  await service.service.database.transaction((db) =>
    db.run('update clients set webhook = $2 where client_id = $1', [tenant.clientId, url]),
  )
  return () => deliveredTo(tenant, receiver, url)
}

describe('the page of a verification', () => {
  test('leads through all steps, a question a page, without a script', async () => {
    const opened = await startAt(tenant, [...stepNames])
    const visitor = await visit(service, opened.path)
    expect(visitor.last().path).not.toContain('key')
    expect(visitor.last().heading).toMatch(/^Verify your identity for/)
    expect(visitor.last().html).toContain('Step 1 of 7')
    const seen = await answerAll(visitor)
    expect(seen).toEqual([
      'terms',
      'phone',
      'code',
      'name',
      'birth',
      'country',
      'address',
      'number',
      'answers',
      'document',
      'front',
      'selfie',
      'waiting',
    ])
    expect(visitor.last().headers['refresh']).toBe('3')
    await advanceClock(2)
    await advanceClock(2)
    const done = await visitor.open(visitor.last().path)
    expect(done.heading).toBe('Your identity is verified')
    const found = await readAttempt(tenant, opened)
    expect(found.status).toBe('success')
    expect(found.user).toMatchObject({
      phone_number: '+14155550142',
      date_of_birth: '1991-07-23',
      name: { given_name: 'Maren', family_name: 'Talvik' },
      address: { street: '18 Juniper Lane', region: 'OR', country: 'US' },
      id_number: { value: '900123456', type: 'us_ssn' },
      ip_address: '127.0.0.1',
    })
    expect(found.verify_sms?.verifications).toMatchObject([
      { status: 'success', phone_number: '+14155550142', solve_attempt_count: 1 },
    ])
  })

  test('asks for nothing that the client has told', async () => {
    const { user } = {
      user: {
        phone_number: '+14155550142',
        date_of_birth: '1991-07-23',
        name: { given_name: 'Maren', family_name: 'Talvik' },
        address: { country: 'DE', street: 'Hafenstr. 1', city: 'Bremen', postal_code: '28195' },
      },
    }
    const opened = await startAt(tenant, ['accept_tos', 'verify_sms', 'kyc_check'], {
      user,
      gave_consent: true,
    })
    const visitor = await visit(service, opened.path)
    expect(visitor.last().html).toContain('ends in 42')
    expect(visitor.last().html).not.toContain('name="tel"')
    // Germany issues no number that can be asked for.
    expect(await answerAll(visitor)).toEqual(['phone', 'code', 'done'])
    expect((await readAttempt(tenant, opened)).steps).toMatchObject({
      accept_tos: 'skipped',
      kyc_check: 'success',
    })
  })

  test('tells what does not belong into a field, and keeps what was typed', async () => {
    const { path } = await startAt(tenant, ['kyc_check'])
    const visitor = await visit(service, path)
    await visitor.send({ 'given-name': 'Maren', 'family-name': '  ' })
    expect(visitor.last().html).toMatch(/<title>Error: What is your name/)
    expect(visitor.last().html).toMatch(/href="#family-name">Enter your family name/)
    expect(visitor.last().html).toMatch(/id="given-name"[^>]*value="Maren"/)
    await answerAll(visitor, answersOf('Talvik'), 'birth')
    for (const [day, month, year, text] of [
      ['', '', '', 'Enter day, month and year'],
      ['', '7', '1991', 'Enter the day as a number'],
      ['31', '2', '1991', 'There is no such day'],
      ['1', '1', '2999', 'Enter a day in the past'],
      ['1', '1', '1850', 'more than 120 years'],
    ] as const) {
      await visitor.send({ 'bday-day': day, 'bday-month': month, 'bday-year': year })
      expect(visitor.last().html).toContain(text)
    }
    await answerAll(visitor, answersOf('Talvik'), 'country')
    for (const country of ['', 'ZZ', 'us', 'USA', '__proto__', '../..']) {
      await visitor.send({ country })
      expect(visitor.last().html).toContain('Choose your country')
    }
    await answerAll(visitor, answersOf('Talvik'), 'number')
    await visitor.send({ kind: 'us_ssn', number: '12' })
    expect(visitor.last().html).toContain('does not have the right form')
    // A number of that sort is never sent back.
    expect(visitor.last().html).not.toContain('value="12"')
    await visitor.send({ kind: 'de_ssn', number: '900123456' })
    expect(visitor.last().html).toContain('Choose which number you enter')
  })
})

interface Case {
  steps: Step[]
  family?: string
  answers?: Answers
  heading: string
  status: string
}

const verified = 'Your identity is verified'
const failed = 'Your identity could not be verified'
const review = 'Your data is being reviewed'
const cases: Record<string, Case> = {
  'the family name Mismatch': {
    steps: ['kyc_check'],
    family: 'Mismatch',
    heading: failed,
    status: 'failed',
  },
  'the family name Mismatch, and a document': {
    steps: ['kyc_check', 'documentary_verification'],
    family: ' MISMATCH ',
    heading: verified,
    status: 'success',
  },
  'the family name Review': {
    steps: ['kyc_check'],
    family: 'Review',
    heading: review,
    status: 'pending_review',
  },
  'the family name Expired': {
    steps: ['accept_tos', 'kyc_check', 'selfie_check'],
    family: 'Expired',
    heading: 'This verification has expired',
    status: 'expired',
  },
  'the family name Listed': {
    steps: ['kyc_check', 'watchlist_screening', 'risk_check'],
    family: 'Listed',
    heading: review,
    status: 'pending_review',
  },
  'the family name Risky': {
    steps: ['kyc_check', 'watchlist_screening', 'risk_check'],
    family: 'Risky',
    heading: failed,
    status: 'failed',
  },
  'a code that is wrong again and again': {
    steps: ['verify_sms'],
    answers: { code: { 'one-time-code': '000000' } },
    heading: failed,
    status: 'failed',
  },
  'a sample of a forgery': {
    steps: ['documentary_verification'],
    answers: { front: { sample: 'document_failed' } },
    heading: failed,
    status: 'failed',
  },
  'a blurred sample, three times': {
    steps: ['documentary_verification'],
    answers: { front: { sample: 'document_blurred' } },
    heading: failed,
    status: 'failed',
  },
  'a doubtful sample': {
    steps: ['documentary_verification'],
    answers: { front: { sample: 'document_review' } },
    heading: review,
    status: 'pending_review',
  },
  "a sample of somebody else's face": {
    steps: ['selfie_check'],
    answers: { selfie: { sample: 'selfie_failed' } },
    heading: failed,
    status: 'failed',
  },
  'a doubtful sample of a face': {
    steps: ['selfie_check'],
    answers: { selfie: { sample: 'selfie_review' } },
    heading: review,
    status: 'pending_review',
  },
}

describe('in the sandbox', () => {
  test.each(Object.entries(cases))(
    'an outcome follows from %s, and the webhooks tell it',
    async (_name, { steps, family = 'Talvik', answers, heading, status }) => {
      const delivered = await receive()
      const opened = await startAt(tenant, steps)
      const visitor = await visit(service, opened.path)
      await answerAll(visitor, { ...answersOf(family), ...answers })
      await advanceClock(2)
      await advanceClock(2)
      await visitor.open(opened.path)
      expect(visitor.last().heading).toBe(heading)
      expect((await readAttempt(tenant, opened)).status).toBe(status)
      const codes = await delivered()
      expect(codes.filter((code) => code === 'STATUS_UPDATED')).toHaveLength(1)
      // Each step that ends is told, together with the one that begins.
      expect(codes.filter((code) => code === 'STEP_UPDATED').length).toBeGreaterThan(0)
    },
  )

  test('a number that cannot be reached is told, and another one can be entered', async () => {
    const { path } = await startAt(tenant, ['verify_sms'])
    const visitor = await visit(service, path)
    await visitor.send({ tel: '+1 415 555 0199' })
    expect(visitor.last().html).toContain('No message can be delivered to this number')
    expect(await answerAll(visitor)).toEqual(['phone', 'code', 'done'])
    expect(visitor.last().heading).toBe(verified)
  })
})

describe('a verification that does not go straight on', () => {
  test('is resumed where it was left, also in another browser', async () => {
    const opened = await startAt(tenant, ['accept_tos', 'verify_sms', 'kyc_check'])
    const visitor = await visit(service, opened.path)
    await answerAll(visitor, answersOf('Talvik'), 'birth')
    expect((await visitor.open(opened.path)).path).toMatch(/now$|birth$/)
    expect(visitor.last().heading).toBe('When were you born?')
    await visitor.open(visitor.last().path.replace(/\w+$/, 'leave'))
    await visitor.send()
    expect(visitor.last().heading).toBe('You have left')
    // What was sent to a check is kept, and what was only typed is not.
    const other = await visit(service, opened.path)
    expect(other.last().heading).toBe('What is your name?')
    expect(other.last().html).not.toContain('Talvik')
  })

  test('is resumed after its time on the page is over', async () => {
    const opened = await startAt(tenant, ['accept_tos', 'kyc_check'])
    const visitor = await visit(service, opened.path)
    await visitor.send()
    await advanceClock(24 * 3600)
    await visitor.open(visitor.last().path)
    expect([visitor.last().status, visitor.last().heading]).toEqual([
      410,
      'Your time on this page is over',
    ])
    expect((await visitor.open(opened.path)).heading).toBe('What is your name?')
  })

  test.each([
    ['canceled', 'This verification was canceled'],
    ['expired', 'This verification has expired'],
  ] as const)(
    'is over when it was %s, also for a form that is on its way',
    async (outcome, heading) => {
      const opened = await startAt(tenant, ['accept_tos', 'kyc_check'])
      const visitor = await visit(service, opened.path)
      await tenant.control('sandboxIdentityVerificationAdvance', {
        identity_verification_id: opened.attempt.id,
        outcome,
      })
      expect((await visitor.send()).heading).toBe(heading)
      expect((await visitor.open(opened.path)).heading).toBe(heading)
    },
  )

  test('leads from the old link to the new attempt', async () => {
    const opened = await startAt(tenant, ['accept_tos', 'kyc_check'])
    const visitor = await visit(service, opened.path)
    await answerAll(visitor, answersOf('Mismatch'))
    expect(visitor.last().heading).toBe(failed)
    const { client_user_id, template } = opened.attempt
    const retry = await tenant.control('sandboxIdentityVerificationRetry', {
      client_user_id,
      template_id: template.id,
    })
    await visitor.open(opened.path)
    expect(visitor.last().heading).toBe('A new verification has begun')
    const [, way = ''] = /class="button" href="([^"]+)"/.exec(visitor.last().html) ?? []
    await visitor.open(way)
    expect(visitor.last().heading).toMatch(/^Verify your identity for/)
    // What the client did not tell is known from the first attempt.
    await answerAll(visitor)
    expect(
      (await readAttempt(tenant, { attempt: { ...opened.attempt, id: retry.id } })).status,
    ).toBe('failed')
  })

  test('goes on after a reviewer has approved what waited', async () => {
    const opened = await startAt(tenant, ['kyc_check', 'selfie_check'])
    const visitor = await visit(service, opened.path)
    await answerAll(visitor, answersOf('Review'))
    expect(visitor.last().heading).toBe(review)
    await tenant.control('sandboxIdentityVerificationAdvance', {
      identity_verification_id: opened.attempt.id,
      outcome: 'manually_approved',
    })
    expect((await visitor.open(opened.path)).heading).toBe('A picture of your face')
    expect(await answerAll(visitor)).toEqual(['selfie', 'done'])
  })
})
