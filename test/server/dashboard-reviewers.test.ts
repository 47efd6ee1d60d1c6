import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { type DashboardBrowser, openDashboard, signIn } from '../support/dashboard-browser.ts'
import {
  addTemplates,
  advance,
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

describe('two reviewers', () => {
  test('at once: one decides, and the other is told what', async () => {
    const id = await failedAttempt(tenant)
    const other = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const { revision } = await look(browser, id)
    const body = await decision(browser, id)
    const answers = await Promise.all([
      rejection(browser.send('dashboardStepDecide', body)),
      rejection(other.send('dashboardStepDecide', { ...body, decision: 'reject' })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const isApproved = answers[0].status === 200
    const second = answers[isApproved ? 1 : 0]
    expect(second?.code).toBe('VERIFICATION_CHANGED')
    expect(second?.message).toMatch(
      new RegExp(
        `^ada.prewitt@lender.example.com ${isApproved ? 'approved' : 'rejected'} the step ` +
          `\`documentary_verification\` at \\d{4}-.+its status is \`${isApproved ? 'active' : 'failed'}\` now$`,
      ),
    )
    expect(second?.message).not.toContain(reason)
    const shown = await look(browser, id)
    expect(shown.decisions).toHaveLength(1)
    expect(shown.revision).toBe(revision + 1)
  })

  test('at once, many times: each attempt is decided once', async () => {
    const others = [browser, await signIn(service, { client_id: tenant.clientId, role: 'admin' })]
    for (const client_user_id of ['one', 'two', 'three', 'four']) {
      const { id } = await start(tenant, { client_user_id, template_id: kyc })
      await advance(tenant, id, 'failed')
      const body = await decision(browser, id, { step: 'kyc_check' })
      const sends = [...others, ...others].map((one) => one.send('dashboardStepDecide', body))
      const statuses = (await Promise.all(sends)).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 409, 409, 409])
      expect((await look(browser, id)).decisions).toHaveLength(1)
    }
  })

  test('of whom one creates a retry, while the other decides', async () => {
    const id = await failedAttempt(tenant)
    const body = await decision(browser, id)
    const { step: _, decision: __, ...retry } = body
    await browser.ask('dashboardVerificationRetry', retry)
    const second = await rejection(browser.send('dashboardStepDecide', body))
    expect(second.message).toMatch(/created a retry of the attempt at/)
    expect((await rejection(browser.send('dashboardVerificationRetry', retry))).status).toBe(409)
  })

  test('are told of a change that no reviewer made, too', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success', 'failed')
    const body = await decision(browser, id, { step: 'kyc_check' })
    await advance(tenant, id, 'success')
    expect(await rejection(browser.send('dashboardStepDecide', body))).toEqual({
      status: 409,
      code: 'VERIFICATION_CHANGED',
      message: 'the attempt has changed since the page loaded it',
    })
  })
})

describe('nobody else decides', () => {
  const ids = [
    'dashboardStepDecide',
    'dashboardVerificationCancel',
    'dashboardVerificationRetry',
  ] as const

  /** The body of each, as its reviewer would send it. */
  async function bodies(): Promise<Record<(typeof ids)[number], object>> {
    const { step, decision: how, ...rest } = await decision(browser, await failedAttempt(tenant))
    return {
      dashboardStepDecide: { ...rest, step, decision: how },
      dashboardVerificationCancel: rest,
      dashboardVerificationRetry: rest,
    }
  }

  async function refuse(
    send: (id: (typeof ids)[number], body: object) => ReturnType<DashboardBrowser['send']>,
    expected: { status: number; code: string },
  ): Promise<void> {
    const sent = await bodies()
    for (const id of ids) {
      expect(await rejection(send(id, sent[id]))).toMatchObject(expected)
    }
    const { identity_verification_id } = sent.dashboardStepDecide as Record<string, string>
    expect((await look(browser, identity_verification_id ?? '')).decisions).toEqual([])
  }

  test('with the role developer, in the sandbox neither', async () => {
    const user = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
    await refuse((id, body) => user.send(id, body), { status: 403, code: 'ROLE_REQUIRED' })
  })

  test('of another client', async () => {
    const { clientId } = await service.tenant()
    const user = await signIn(service, { client_id: clientId, role: 'admin' })
    await refuse((id, body) => user.send(id, body), { status: 404, code: 'OBJECT_NOT_FOUND' })
    await refuse((id, body) => user.send(id, { ...body, client_id: tenant.clientId }), {
      status: 403,
      code: 'ROLE_REQUIRED',
    })
  })

  test('without a session, or with one that has ended', async () => {
    const ended = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const { cookie } = ended
    await ended.ask('dashboardSessionEnd', {})
    const stolen = Object.assign(openDashboard(service), { cookie })
    for (const one of [openDashboard(service), stolen]) {
      await refuse((id, body) => one.send(id, body), { status: 401, code: 'SIGN_IN_REQUIRED' })
    }
  })

  test('after being disabled', async () => {
    const user = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
    const asked = { actor: 'operator:test', dashboard: 'disable', id: user.id } as const
    await runOperatorCommand(service.service, asked, (async function* () {})())
    await refuse((id, body) => user.send(id, body), { status: 401, code: 'SIGN_IN_REQUIRED' })
  })

  test.each([
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of localhost', { 'sec-fetch-site': 'same-site' }],
    ['another port', { 'sec-fetch-site': null, origin: 'http://127.0.0.1:4001' }],
    ['a program that names nothing', { 'sec-fetch-site': null }],
  ])('from %s', async (_, headers: Record<string, string | null>) => {
    await refuse((id, body) => browser.send(id, body, headers), {
      status: 403,
      code: 'FOREIGN_PAGE',
    })
  })
})
