import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertIdentityVerification } from '../../src/server/identity-verification/insert-identity-verification.ts'
import { createLink, openDashboard, signIn } from '../support/dashboard-browser.ts'
import {
  addTemplates,
  advance,
  all,
  as,
  kyc,
  maren,
  start,
} from '../support/identity-verification-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let production: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  production = await startService({
    settings: { environment: 'production', reportDelayMs: 0 },
    publicUrl: () => 'https://pay.example.com',
  })
  await addTemplates(service)
  await addTemplates(production)
})
afterAll(async () => {
  await service.close()
  await production.close()
})
beforeEach(async () => {
  tenant = await service.tenant()
})

/** An attempt whose user the records do not know, and whose document cannot be read. */
async function failed(owner: Tenant, client_user_id: string): Promise<string> {
  const { id } = await start(owner, { client_user_id, user: maren })
  const outcomes = ['success', 'failed', 'failed'] as const
  await advance(owner, id, ...outcomes)
  return id
}

describe('dashboardVerificationList', () => {
  test('has by default what waits for a review and what failed, the newest first', async () => {
    const lost = await failed(tenant, 'lost')
    await start(tenant, { client_user_id: 'active' })
    const { id: waits } = await start(tenant, { client_user_id: 'waits' })
    await advance(tenant, waits, ['watchlist_screening', 'pending_review'])
    const rejected = await failed(tenant, 'rejected')
    await advance(tenant, rejected, ['documentary_verification', 'manually_rejected'])
    const browser = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
    const { verifications } = await browser.ask('dashboardVerificationList', {})
    const found = verifications.map(({ id, open_steps }) => [id, open_steps])
    expect(found.sort()).toEqual(
      [
        [lost, ['kyc_check', 'documentary_verification']],
        [waits, ['watchlist_screening']],
      ].sort(),
    )
    expect(verifications.every(({ needs_review }) => needs_review)).toBe(true)
    const { pending_reviews } = await browser.ask('dashboardOverviewGet', {})
    expect(pending_reviews).toBe(verifications.length)
  })

  test('has no attempt that was retried', async () => {
    await failed(tenant, 'again')
    const request = { client_user_id: 'again', template_id: all }
    await tenant.control('sandboxIdentityVerificationRetry', request)
    const browser = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
    expect((await browser.ask('dashboardVerificationList', {})).verifications).toEqual([])
  })

  test('has those of a status, or of a user', async () => {
    const lost = await failed(tenant, 'lost')
    const { id } = await start(tenant, { client_user_id: 'active' })
    const browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
    const ask = async (body: object) =>
      (await browser.ask('dashboardVerificationList', body)).verifications.map((one) => one.id)
    expect(await ask({ show: 'failed' })).toEqual([lost])
    expect(await ask({ show: 'active' })).toEqual([id])
    expect(await ask({ show: 'success' })).toEqual([])
    expect((await ask({ show: 'all' })).sort()).toEqual([lost, id].sort())
    expect(await ask({ show: 'all', client_user_id: 'active' })).toEqual([id])
  })

  test('goes on where the page before has ended, also within one second', async () => {
    const ids = []
    for (const client_user_id of ['one', 'two', 'three']) {
      ids.push((await start(tenant, { client_user_id })).id)
    }
    const browser = await signIn(service, { client_id: tenant.clientId })
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(cursor)
      found.push(...page.verifications.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(found.sort()).toEqual(ids.sort())

    function read(after: string | null) {
      const body = { show: 'all' as const, count: 1, cursor: after }
      return browser.ask('dashboardVerificationList', body)
    }
  })

  test('has nothing of another client, and nothing that tells who somebody is', async () => {
    await failed(await service.tenant(), 'other')
    await failed(tenant, 'own')
    const browser = await signIn(service, { client_id: tenant.clientId })
    const { verifications } = await browser.ask('dashboardVerificationList', { show: 'all' })
    expect(verifications.map(({ client_user_id }) => client_user_id)).toEqual(['own'])
    expect(JSON.stringify(verifications)).not.toContain('Talvik')
  })

  test.each([
    ['of another list', 'items:0:x'],
    ['of a time that is none', 'verifications:9000000000000000:x'],
    ['with a name that is no text', 'verifications:1:a\0b'],
  ])('rejects a cursor %s', async (_, text) => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    const cursor = Buffer.from(text).toString('base64url')
    expect(await browser.send('dashboardVerificationList', { cursor })).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_FIELD' },
    })
  })
})

describe('dashboardVerificationGet', () => {
  test('has the attempt as the interface shows it, and records the look', async () => {
    const identity_verification_id = await failed(tenant, 'lost')
    const browser = await signIn(service, { client_id: tenant.clientId })
    const shown = await browser.ask('dashboardVerificationGet', { identity_verification_id })
    expect(shown).toMatchObject({
      verification: {
        id: identity_verification_id,
        status: 'failed',
        user: { name: maren.name },
        documentary_verification: { status: 'failed' },
      },
      shows_personal_data: true,
      open_steps: ['kyc_check', 'documentary_verification'],
      decisions: [],
      newest_attempt_id: identity_verification_id,
      can_cancel: false,
      can_retry: true,
    })
    expect(shown.verification.documentary_verification?.documents).toHaveLength(3)
    const { entries } = await browser.ask('dashboardAuditList', { action: 'verification.view' })
    expect(entries).toMatchObject([
      { actor: `dashboard:${browser.id}`, subject: identity_verification_id },
    ])
  })

  test('shows of a user only what somebody said, and nothing that the sandbox made up', async () => {
    const named = { email_address: maren.email_address, name: maren.name }
    const { id } = await start(tenant, { client_user_id: 'silent', user: named })
    await advance(tenant, id, 'success', 'success', 'success')
    const request = { template_id: all, client_user_id: 'silent' }
    const { identity_verifications } = await tenant.api.identityVerificationList(request).orThrow()
    // The interface has a whole person, so that a client of the sandbox can go on.
    expect(identity_verifications[0]?.user.date_of_birth).not.toBeNull()
    const browser = await signIn(service, { client_id: tenant.clientId })
    const userOf = async (identity_verification_id: string) =>
      (await browser.ask('dashboardVerificationGet', { identity_verification_id })).verification
        .user
    const nothing = { phone_number: null, date_of_birth: null, address: null, id_number: null }
    expect(await userOf(id)).toEqual({ ...nothing, ip_address: null, ...named })
    await advance(tenant, id, 'failed')
    const again = await tenant.control('sandboxIdentityVerificationRetry', request)
    expect(await userOf(again.id)).toEqual({ ...nothing, ip_address: null, ...named })
  })

  test('says what can be done with an attempt that goes on, and with an older one', async () => {
    const { id } = await start(tenant, { template_id: kyc })
    const browser = await signIn(service, { client_id: tenant.clientId })
    const ask = (identity_verification_id: string) =>
      browser.ask('dashboardVerificationGet', { identity_verification_id })
    expect(await ask(id)).toMatchObject({ can_cancel: true, can_retry: false, open_steps: [] })
    await advance(tenant, id, 'failed')
    const again = await tenant.control('sandboxIdentityVerificationRetry', {
      client_user_id: 'borrower-7f3a',
      template_id: kyc,
    })
    expect(await ask(id)).toMatchObject({ can_retry: false, newest_attempt_id: again.id })
  })

  test('has nothing of another client', async () => {
    const identity_verification_id = await failed(await service.tenant(), 'other')
    const browser = await signIn(service, { client_id: tenant.clientId })
    const answer = await browser.send('dashboardVerificationGet', { identity_verification_id })
    expect(answer).toMatchObject({ status: 404, body: { error_code: 'OBJECT_NOT_FOUND' } })
  })

  describe('in production', () => {
    async function open(role: 'developer' | 'reviewer' | 'admin') {
      const owner = await production.tenant()
      const { id } = await as(production, owner, (ctx) =>
        insertIdentityVerification(ctx, {
          client_user_id: 'lost',
          template_id: all,
          is_shareable: true,
          user: maren,
          outcomes: ['success', 'success', 'failed', 'failed'].map((outcome) => ({
            outcome: outcome as 'success' | 'failed',
          })),
        }),
      )
      const user = await signInToProduction(owner, role)
      const admin = await signInToProduction(owner, 'admin')
      const shown = await user.ask('dashboardVerificationGet', { identity_verification_id: id })
      const { entries } = await admin.ask('dashboardAuditList', { action: 'verification.view' })
      return { id, shown, looks: entries.length }
    }

    async function signInToProduction(owner: Tenant, role: 'developer' | 'reviewer' | 'admin') {
      const { key } = await createLink(production, { client_id: owner.clientId, role })
      const browser = openDashboard({ app: production.app, url: 'https://pay.example.com' })
      await browser.ask('dashboardSessionBegin', { key })
      return browser
    }

    test.each(['reviewer', 'admin'] as const)(
      'shows personal data to %s, which stands in the log',
      async (role) => {
        const { shown, looks } = await open(role)
        expect(shown.verification.user.name).toEqual(maren.name)
        expect([shown.shows_personal_data, looks]).toEqual([true, 1])
      },
    )

    test('shows a developer the steps, and nothing that tells who somebody is', async () => {
      const { shown, looks, id } = await open('developer')
      expect(shown).toMatchObject({ shows_personal_data: false, verification: { id } })
      expect(shown.verification.steps.documentary_verification).toBe('failed')
      const text = JSON.stringify(shown)
      for (const part of ['Talvik', 'Juniper', '900123456', '4155550142', '/images/', '?key=']) {
        expect(text).not.toContain(part)
      }
      expect(looks).toBe(0)
    })
  })
})
