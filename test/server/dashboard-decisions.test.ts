import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import {
  addTemplates,
  advance,
  all,
  kyc,
  maren,
  start,
} from '../support/identity-verification-fixtures.ts'
import { decision, failedAttempt, look, reason, rejection } from '../support/reviewing.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let browser: DashboardBrowser & { id: string }
beforeAll(async () => {
  service = await startService()
  await addTemplates(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  browser = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
})

const audited = async (action: string) => {
  const admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
  const { entries } = await admin.ask('dashboardAuditList', { action })
  return entries.map(({ details, ...rest }) => ({ ...rest, details: JSON.parse(details) }))
}

/** The attempt as the client sees it. */
const listed = async (id: string) => {
  const { identity_verifications } = await tenant.api
    .identityVerificationList({ template_id: all })
    .orThrow()
  return identity_verifications.find((one) => one.id === id)
}

describe('dashboardStepDecide', () => {
  test('approves a failed step, after which the user goes on with the next', async () => {
    const id = await failedAttempt(tenant)
    const answer = await browser.ask('dashboardStepDecide', await decision(browser, id))
    expect(answer).toMatchObject({ status: 'active' })
    const attempt = await listed(id)
    expect(attempt).toMatchObject({
      status: 'active',
      completed_at: null,
      steps: {
        kyc_check: 'failed',
        documentary_verification: 'manually_approved',
        selfie_check: 'active',
      },
    })
    expect(attempt?.documentary_verification?.documents.at(-1)).toMatchObject({
      status: 'manually_approved',
      analysis: { human_review: { status: 'success' } },
    })
  })

  test('approves the last step that stood in the way, after which the attempt has passed', async () => {
    const { id } = await start(tenant, { template_id: kyc, user: maren })
    await advance(tenant, id, 'failed')
    const answer = await browser.ask(
      'dashboardStepDecide',
      await decision(browser, id, { step: 'kyc_check' }),
    )
    expect(answer).toMatchObject({ status: 'success' })
    const shown = await look(browser, id)
    expect(shown).toMatchObject({ revision: answer.revision, open_steps: [] })
    expect(shown.verification.completed_at).not.toBeNull()
  })

  test('rejects a step, after which nothing is left to review', async () => {
    const id = await failedAttempt(tenant)
    await browser.ask('dashboardStepDecide', await decision(browser, id, { decision: 'reject' }))
    expect(await listed(id)).toMatchObject({
      status: 'failed',
      steps: { documentary_verification: 'manually_rejected' },
    })
    const { verifications } = await browser.ask('dashboardVerificationList', {})
    expect(verifications).toEqual([])
  })

  test('rejects a step that another one had replaced, after which the attempt has failed', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success', 'failed', 'success', 'success', 'success', 'success')
    expect((await look(browser, id)).verification.status).toBe('success')
    const body = await decision(browser, id, { step: 'kyc_check', decision: 'reject' })
    expect(await browser.ask('dashboardStepDecide', body)).toMatchObject({ status: 'failed' })
  })

  test.each([
    ['approve', 'success', 'manually_approved'],
    ['reject', 'failed', 'manually_rejected'],
  ] as const)('can %s what waits for a review', async (how, status, step) => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, ...(['success', 'success', 'success', 'success'] as const))
    await advance(tenant, id, 'pending_review', ['risk_check', 'success'])
    const body = await decision(browser, id, { step: 'watchlist_screening', decision: how })
    expect(await browser.ask('dashboardStepDecide', body)).toMatchObject({ status })
    expect((await look(browser, id)).verification.steps.watchlist_screening).toBe(step)
  })

  test('stands in the audit log and at the attempt: who, what, before and after, why, when', async () => {
    const id = await failedAttempt(tenant)
    await browser.ask(
      'dashboardStepDecide',
      await decision(browser, id, { reason: `  ${reason}\n` }),
    )
    expect(await audited('verification.approve-step')).toEqual([
      {
        audit_id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-/),
        actor: `dashboard:${browser.id}`,
        action: 'verification.approve-step',
        subject: id,
        details: {
          step: 'documentary_verification',
          reason,
          before: {
            status: 'failed',
            steps: { documentary_verification: 'failed', selfie_check: 'waiting_for_prerequisite' },
          },
          after: {
            status: 'active',
            steps: { documentary_verification: 'manually_approved', selfie_check: 'active' },
          },
          address: '127.0.0.1',
        },
      },
    ])
    expect((await look(browser, id)).decisions).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-/),
        user_id: browser.id,
        email_address: 'ada.prewitt@lender.example.com',
        action: 'approve_step',
        step: 'documentary_verification',
        reason,
        status_before: 'failed',
        status_after: 'active',
      },
    ])
  })

  test('sends the webhooks about a step and a status', async () => {
    const id = await failedAttempt(tenant)
    const url = 'https://lender.example.com/webhooks'
    await service.service.database.transaction((db) =>
      db.run('update clients set webhook = $2 where client_id = $1', [tenant.clientId, url]),
    )
    await browser.ask('dashboardStepDecide', await decision(browser, id, { decision: 'reject' }))
    const codes = async () => {
      const { webhooks } = await tenant.control('sandboxWebhookList', {})
      return webhooks.reverse().map((webhook) => webhook.webhook_code)
    }
    // The attempt had failed before.
    expect(await codes()).toEqual(['STEP_UPDATED'])
    const again = await start(tenant, { template_id: kyc, user: maren })
    await advance(tenant, again.id, 'failed')
    const before = await codes()
    const body = await decision(browser, again.id, { step: 'kyc_check' })
    await browser.ask('dashboardStepDecide', body)
    expect((await codes()).slice(before.length)).toEqual(['STEP_UPDATED', 'STATUS_UPDATED'])
  })

  test.each([
    ['a step that passed', 'accept_tos'],
    ['a step that has not begun', 'selfie_check'],
  ])('leaves %s alone', async (_, step) => {
    const { id } = await start(tenant, { user: maren, gave_consent: false })
    await advance(tenant, id, 'success', 'success', 'failed', 'failed')
    const body = await decision(browser, id, { step })
    expect(await rejection(browser.send('dashboardStepDecide', body))).toMatchObject({
      status: 400,
      code: 'INVALID_FIELD',
      message: expect.stringMatching(/^`step` must be a step that failed or waits/),
    })
  })

  test.each(['canceled', 'expired'] as const)('leaves an attempt that is %s alone', async (end) => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success', 'failed', end)
    const body = await decision(browser, id, { step: 'kyc_check' })
    expect(await rejection(browser.send('dashboardStepDecide', body))).toMatchObject({
      code: 'INVALID_FIELD',
    })
    expect((await look(browser, id)).open_steps).toEqual([])
  })

  test.each([
    ['an empty reason', { reason: '' }],
    ['a reason of spaces', { reason: ' \n\t ' }],
    ['a reason that is too long', { reason: 'a'.repeat(1001) }],
    ['no reason', { reason: undefined }],
    ['no revision', { revision: undefined }],
    ['another decision', { decision: 'success' }],
    ['another step', { step: 'status' }],
  ])('needs all of its fields: not with %s', async (_, more) => {
    const id = await failedAttempt(tenant)
    const { status } = await browser.send('dashboardStepDecide', await decision(browser, id, more))
    expect(status).toBe(400)
    expect((await look(browser, id)).decisions).toEqual([])
  })
})

describe('dashboardVerificationCancel', () => {
  test('cancels an attempt and its unfinished steps, and logs the reason', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success')
    const { revision } = await look(browser, id)
    const body = { identity_verification_id: id, revision, reason }
    expect(await browser.ask('dashboardVerificationCancel', body)).toMatchObject({
      status: 'canceled',
      revision: revision + 1,
    })
    expect(await listed(id)).toMatchObject({
      status: 'canceled',
      steps: { verify_sms: 'success', kyc_check: 'canceled', risk_check: 'canceled' },
    })
    expect(await audited('verification.cancel')).toMatchObject([
      {
        subject: id,
        details: { reason, before: { status: 'active' }, after: { status: 'canceled' } },
      },
    ])
  })

  test('cancels an attempt that waits for a review', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, ['watchlist_screening', 'pending_review'])
    const { revision } = await look(browser, id)
    const body = { identity_verification_id: id, revision, reason }
    expect((await browser.ask('dashboardVerificationCancel', body)).status).toBe('canceled')
    expect((await browser.ask('dashboardVerificationList', {})).verifications).toEqual([])
  })

  test('leaves an attempt alone that is finished', async () => {
    const id = await failedAttempt(tenant)
    const { revision } = await look(browser, id)
    const body = { identity_verification_id: id, revision, reason }
    expect(await rejection(browser.send('dashboardVerificationCancel', body))).toMatchObject({
      code: 'INVALID_FIELD',
    })
  })
})

describe('dashboardVerificationRetry', () => {
  test('creates an attempt with what is known of the user', async () => {
    const id = await failedAttempt(tenant)
    const { revision } = await look(browser, id)
    const body = { identity_verification_id: id, revision, reason }
    const made = await browser.ask('dashboardVerificationRetry', body)
    const { verification } = await look(browser, made.identity_verification_id)
    expect(verification).toMatchObject({
      previous_attempt_id: id,
      status: 'active',
      user: { name: maren.name, ip_address: null },
      steps: { accept_tos: 'skipped', verify_sms: 'active' },
    })
    const before = await look(browser, id)
    expect(before).toMatchObject({ can_retry: false, decisions: [{ action: 'retry', reason }] })
    expect(before.verification.status).toBe('failed')
    expect((await browser.ask('dashboardVerificationList', {})).verifications).toEqual([])
    expect(await audited('verification.retry')).toMatchObject([
      { subject: id, details: { reason, retry: made.identity_verification_id } },
    ])
  })

  test('leaves the older attempt out of the queue, whatever is decided about it', async () => {
    const id = await failedAttempt(tenant)
    const { revision } = await look(browser, id)
    const body = { identity_verification_id: id, revision, reason }
    await browser.ask('dashboardVerificationRetry', body)
    const later = await decision(browser, id, { step: 'kyc_check' })
    expect(await browser.ask('dashboardStepDecide', later)).toMatchObject({ status: 'failed' })
    expect((await browser.ask('dashboardVerificationList', {})).verifications).toEqual([])
  })

  test('creates none beside an attempt that goes on, nor from an older one', async () => {
    const { id } = await start(tenant, { user: maren })
    const retry = async (identity_verification_id: string) => {
      const { revision } = await look(browser, identity_verification_id)
      const body = { identity_verification_id, revision, reason }
      return (await rejection(browser.send('dashboardVerificationRetry', body))).code
    }
    expect(await retry(id)).toBe('INVALID_FIELD')
    await advance(tenant, id, 'canceled')
    expect(await retry(id)).toBeUndefined()
    expect(await retry(id)).toBe('INVALID_FIELD')
  })
})
