import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertIdentityVerification } from '../../src/server/identity-verification/insert-identity-verification.ts'
import { stepNames } from '../../src/server/identity-verification/step.ts'
import {
  addTemplates,
  advance,
  all,
  as,
  kyc,
  maren,
  type Outcome,
  type Step,
  start,
} from '../support/identity-verification-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant

beforeAll(async () => {
  service = await startService()
  await addTemplates(service)
})
beforeEach(async () => {
  tenant = await service.tenant()
})
afterAll(() => service.close())

const refused = async (body: object) => {
  const path = '/sandbox/identity_verification/advance'
  const { status, body: answer } = await tenant.post(path, body)
  return { status, code: answer['error_code'] }
}
const invalid = { status: 400, code: 'INVALID_FIELD' }

describe('the webhooks about an attempt', () => {
  const told = async () => {
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    return webhooks.reverse().map(({ url, body }) => [url, JSON.parse(body)])
  }

  test('tell the client of steps, and of another status', async () => {
    const url = 'https://lender.example.com/webhooks'
    await service.service.database.transaction((db) =>
      db.run('update clients set webhook = $2 where client_id = $1', [tenant.clientId, url]),
    )
    const { id: identity_verification_id } = await start(tenant, { user: maren })
    expect(await told()).toEqual([])
    await advance(tenant, identity_verification_id, 'success')
    await advance(tenant, identity_verification_id, 'canceled')
    const body = (webhook_code: string) => ({
      webhook_type: 'IDENTITY_VERIFICATION',
      webhook_code,
      identity_verification_id,
      environment: 'sandbox',
    })
    expect(await told()).toEqual(
      ['STEP_UPDATED', 'STEP_UPDATED', 'STATUS_UPDATED'].map((code) => [url, body(code)]),
    )
  })

  test('are sent to nobody where the client has no webhook', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success')
    expect(await told()).toEqual([])
  })
})

describe('sandboxIdentityVerificationAdvance', () => {
  test('passes a user through all steps, one active at a time', async () => {
    const { id } = await start(tenant, { user: maren })
    for (const [index, name] of stepNames.slice(2).entries()) {
      const { status, steps, completed_at } = await advance(tenant, id, 'success')
      expect({ status, completed_at, next: steps[name] }).toEqual({
        status: 'active',
        completed_at: null,
        next: 'active',
      })
      expect(steps[stepNames[index + 1]!]).toBe('success')
    }
    await tenant.control('sandboxClockAdvance', { seconds: 30 })
    const { now } = await tenant.control('sandboxClockGet', {})
    const { status, steps, completed_at } = await advance(tenant, id, 'success')
    expect(steps).toEqual({
      accept_tos: 'skipped',
      verify_sms: 'success',
      kyc_check: 'success',
      documentary_verification: 'success',
      selfie_check: 'success',
      watchlist_screening: 'success',
      risk_check: 'success',
    })
    expect(status).toBe('success')
    expect(Date.parse(completed_at!)).toBeGreaterThanOrEqual(Date.parse(now))
  })

  test('fails the attempt with a step, and leaves the steps after it where they are', async () => {
    const { id } = await start(tenant)
    const { status, steps, completed_at } = await advance(tenant, id, 'failed')
    expect({ status, completed_at }).toEqual({
      status: 'failed',
      completed_at: expect.any(String),
    })
    expect(steps).toMatchObject({ verify_sms: 'failed', kyc_check: 'waiting_for_prerequisite' })
  })

  test('falls back to documents where the records do not know the user', async () => {
    const { id } = await start(tenant)
    const asked = await advance(tenant, id, 'success', 'failed')
    expect(asked).toMatchObject({
      status: 'active',
      steps: { kyc_check: 'failed', documentary_verification: 'active' },
    })
    const passed = await advance(tenant, id, 'success', 'success', 'success', 'success')
    expect(passed).toMatchObject({ status: 'success', steps: { kyc_check: 'failed' } })
  })

  test('fails where the fallback fails, is left out, or is not in the template', async () => {
    const failed = await start(tenant)
    expect(await advance(tenant, failed.id, 'success', 'failed', 'failed')).toMatchObject({
      status: 'failed',
    })
    const skipped = await start(tenant, { client_user_id: 'skips' })
    expect(await advance(tenant, skipped.id, 'success', 'failed', 'skipped')).toMatchObject({
      status: 'failed',
    })
    const short = await start(tenant, { template_id: kyc })
    expect(await advance(tenant, short.id, 'failed')).toMatchObject({ status: 'failed' })
  })

  test('waits for a review before it goes on', async () => {
    const { id } = await start(tenant)
    const waiting = await advance(
      tenant,
      id,
      'success',
      'success',
      'success',
      'success',
      'pending_review',
    )
    expect(waiting).toMatchObject({
      status: 'pending_review',
      completed_at: null,
      watchlist_screening_id: expect.stringMatching(/^scr_[A-Za-z0-9]{14}$/),
      steps: { watchlist_screening: 'pending_review', risk_check: 'waiting_for_prerequisite' },
    })
    const approved = await advance(tenant, id, 'manually_approved')
    expect(approved).toMatchObject({
      status: 'active',
      watchlist_screening_id: waiting.watchlist_screening_id,
      steps: { watchlist_screening: 'manually_approved', risk_check: 'active' },
    })
  })

  test.each([
    ['success', 'success', 'success'],
    ['failed', 'failed', 'failed'],
    ['manually_approved', 'success', 'manually_approved'],
    ['manually_rejected', 'failed', 'manually_rejected'],
  ] as const)('ends a review with %s: %s', async (outcome, status, step) => {
    const { id } = await start(tenant, { template_id: kyc })
    const reviewed = await advance(tenant, id, 'pending_review', outcome)
    expect(reviewed).toMatchObject({ status, steps: { kyc_check: step } })
    expect(reviewed.completed_at).not.toBeNull()
  })

  test('lets a reviewer approve what failed, and reject what passed', async () => {
    const { id } = await start(tenant, { template_id: kyc })
    await advance(tenant, id, 'failed')
    const approved = await advance(tenant, id, ['kyc_check', 'manually_approved'])
    expect(approved).toMatchObject({
      status: 'success',
      steps: { kyc_check: 'manually_approved' },
      kyc_check: { status: 'manually_approved', id_number: { summary: 'no_match' } },
    })
    const rejected = await advance(tenant, id, ['kyc_check', 'manually_rejected'])
    expect(rejected).toMatchObject({
      status: 'failed',
      steps: { kyc_check: 'manually_rejected' },
      kyc_check: { status: 'manually_rejected' },
    })
  })

  test('goes on with the next step after a reviewer approved one that had failed', async () => {
    const { id } = await start(tenant)
    await advance(tenant, id, 'failed')
    const approved = await advance(tenant, id, ['verify_sms', 'manually_approved'])
    expect(approved).toMatchObject({
      status: 'active',
      completed_at: null,
      steps: { verify_sms: 'manually_approved', kyc_check: 'active' },
    })
  })

  test.each(['expired', 'canceled'] as const)(
    'ends everything that is unfinished: %s',
    async (outcome) => {
      const { id } = await start(tenant)
      const closed = await advance(tenant, id, 'success', outcome)
      expect(closed.status).toBe(outcome)
      expect(closed.completed_at).not.toBeNull()
      expect(closed.steps).toEqual({
        accept_tos: 'skipped',
        verify_sms: 'success',
        kyc_check: outcome,
        documentary_verification: outcome,
        selfie_check: outcome,
        watchlist_screening: outcome,
        risk_check: outcome,
      })
      const again = { identity_verification_id: id, step: 'kyc_check', outcome: 'success' }
      expect(await refused(again)).toEqual(invalid)
    },
  )

  test('ends a step ahead of its turn, and skips it when its turn comes', async () => {
    const { id } = await start(tenant)
    const ahead = await advance(tenant, id, ['kyc_check', 'success'])
    expect(ahead.steps).toMatchObject({ verify_sms: 'active', kyc_check: 'success' })
    const { steps } = await advance(tenant, id, 'skipped')
    expect(steps).toMatchObject({ verify_sms: 'skipped', documentary_verification: 'active' })
  })

  test('rejects what it does not know, and a step that the template does not have', async () => {
    const { id } = await start(tenant, { template_id: kyc })
    const body = { identity_verification_id: id, outcome: 'success' }
    expect(await refused({ ...body, step: 'selfie_check' })).toEqual(invalid)
    expect(await refused({ ...body, step: 'nap' })).toEqual(invalid)
    expect(await refused({ ...body, outcome: 'active' })).toEqual(invalid)
    expect(await refused({ ...body, identity_verification_id: 'idv_unknown' })).toEqual(invalid)
    const foreign = await start(await service.tenant())
    expect(await refused({ ...body, identity_verification_id: foreign.id })).toEqual(invalid)
  })

  test('rejects to end an unnamed step where none is active', async () => {
    const { id } = await start(tenant, { template_id: kyc })
    await advance(tenant, id, 'success')
    expect(await refused({ identity_verification_id: id, outcome: 'success' })).toEqual(invalid)
  })

  test('keeps the invariants of an attempt through any sequence of outcomes', async () => {
    const outcomes: Outcome[] = [
      'success',
      'failed',
      'pending_review',
      'manually_approved',
      'manually_rejected',
      'skipped',
      'success',
      'success',
      'expired',
      'canceled',
    ]
    const move = fc.tuple(
      fc.option(fc.constantFrom<Step>(...stepNames), { nil: undefined }),
      fc.constantFrom(...outcomes),
    )
    let user = 0
    const holds = async (moves: [Step | undefined, Outcome][], consent: boolean) => {
      user += 1
      let attempt = await start(tenant, { client_user_id: `u${user}`, gave_consent: consent })
      for (const [step, outcome] of moves) {
        const body = { identity_verification_id: attempt.id, outcome, ...(step && { step }) }
        const path = '/sandbox/identity_verification/advance'
        // Every answer is also checked against the contract, whose rules cover results and times.
        const { status, body: answer } = await tenant.post(path, body)
        expect([200, 400]).toContain(status)
        if (status === 200) attempt = answer as never
        expectConsistent(attempt)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(move, { maxLength: 12 }), fc.boolean(), holds), {
      numRuns: 60,
    })
  })

  test('shows the same results whenever it is asked', async () => {
    const { id } = await start(tenant, { user: maren })
    const first = await advance(tenant, id, 'success', 'success')
    const { data } = await tenant.api.identityVerificationList({ template_id: all })
    const { request_id: _, ...shown } = first
    expect(data?.identity_verifications).toEqual([shown])
  })
})

/** What holds for every attempt, beside what the contract says. */
function expectConsistent({ status, steps }: { status: string; steps: object }) {
  const states = Object.values(steps)
  const count = (state: string) => states.filter((one) => one === state).length
  expect(count('active')).toBe(status === 'active' ? 1 : 0)
  expect(count('expired') > 0).toBe(status === 'expired')
  if (status === 'success') expect(count('waiting_for_prerequisite')).toBe(0)
  if (status === 'pending_review') expect(count('pending_review')).toBeGreaterThan(0)
  if (status === 'failed') {
    expect(count('failed') + count('manually_rejected')).toBeGreaterThan(0)
  }
}

describe('insertIdentityVerification', () => {
  test('writes attempts with their histories, the later ones as retries', async () => {
    const attempt = { client_user_id: 'borrower-7f3a', template_id: all, gave_consent: true }
    const day = '2026-03-15T10:02:11Z'
    await as(service, tenant, async (ctx) => {
      await insertIdentityVerification(ctx, {
        ...attempt,
        id: 'idv_7cNKUz1VR4eKd4',
        created_at: day,
        user: maren,
        outcomes: [
          { outcome: 'success', at: '2026-03-15T10:02:58Z' },
          { outcome: 'success' },
          { outcome: 'failed' },
        ],
      })
      await insertIdentityVerification(ctx, {
        ...attempt,
        id: 'idv_NxSa7PTfNMXRXY',
        is_shareable: true,
      })
    })
    const { data } = await tenant.api.identityVerificationList({ template_id: all })
    expect(data?.identity_verifications).toMatchObject([
      { id: 'idv_NxSa7PTfNMXRXY', previous_attempt_id: 'idv_7cNKUz1VR4eKd4', status: 'active' },
      {
        id: 'idv_7cNKUz1VR4eKd4',
        previous_attempt_id: null,
        created_at: day,
        completed_at: '2026-03-15T10:04:58Z',
        status: 'failed',
        steps: { documentary_verification: 'failed' },
        verify_sms: { verifications: [{ initially_sent_at: '2026-03-15T10:02:58Z' }] },
      },
    ])
  })
})
