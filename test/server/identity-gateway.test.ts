import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endAttemptStep } from '../../src/server/identity-verification/attempt.ts'
import { writeAttempt } from '../../src/server/identity-verification/settle-check.ts'
import { requireAttempt } from '../../src/server/identity-verification/store.ts'
import { signIn } from '../support/dashboard-browser.ts'
import { kyc_check, startGateway, type TestGateway } from '../support/identity-gateway.ts'
import { as, maren, upload } from '../support/identity-verification-fixtures.ts'
import { newTenant } from '../support/operator.ts'
import { begin, read, sendCode, startAttempt, submitUpload } from '../support/provider-attempts.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A gateway on this machine does what an operator's gateway can do, right and wrong.

const every = [
  'verify_sms',
  'kyc_check',
  'documentary_verification',
  'selfie_check',
  'watchlist_screening',
  'risk_check',
]
let now = Date.now()
let gateway: TestGateway
let service: TestService
let tenant: Tenant
let lines: string[]

beforeEach(async () => {
  gateway = await startGateway(() => now)
  gateway.steps = every
  lines = []
  service = await startService({
    clock: () => now,
    settings: {
      environment: 'production',
      reportDelayMs: 0,
      identityGateway: { url: gateway.url, steps: every, isPrivate: true, timeoutMs: 1000 },
    },
    log: {
      info: (...parts) => lines.push(JSON.stringify(parts)),
      error: (error, ...parts) => lines.push(String(error), JSON.stringify(parts)),
    },
  })
  tenant = await newTenant(service, { webhook: 'https://lender.example.com/webhooks' })
  gateway.client = tenant.api
})
afterEach(async () => {
  await service.close()
  await gateway.close()
})

const runDue = () => service.service.runner.runDue(tenant.clientId)

/** Lets time pass, and makes the calls that are due then. */
async function pass(seconds: number): Promise<void> {
  now += seconds * 1000
  await runDue()
}

const rowsOf = <Row>(sql: string): Promise<Row[]> =>
  service.service.database.read((db) => db.all<Row>(sql, [tenant.clientId]))
const pending = () =>
  rowsOf<{ step: string; calls: number; failure: string | null; submitted_at: number | null }>(
    'select step, calls, failure, submitted_at from identity_checks where client_id = $1',
  )
const webhooks = async () =>
  (
    await rowsOf<{ webhook_code: string }>(
      'select webhook_code from webhook_deliveries where client_id = $1 order by sequence',
    )
  ).map(({ webhook_code }) => webhook_code)
const codes = () => gateway.calls.map(({ webhook_code }) => webhook_code)
const submitted = () => gateway.calls.filter(({ webhook_code }) => webhook_code === 'SUBMIT')

/** An attempt whose only check waits for the gateway. */
async function screening(step = 'watchlist_screening') {
  const attempt = await startAttempt(service, tenant, [step])
  await begin(service, tenant, attempt.id)
  return attempt
}

describe('a check of a gateway', () => {
  test('is authorized, submitted with what is known, asked for, and ends the step', async () => {
    const attempt = await startAttempt(service, tenant, ['kyc_check', 'risk_check'])
    await begin(service, tenant, attempt.id)
    await runDue()
    expect(codes()).toEqual(['AUTHORIZE', 'SUBMIT'])
    expect(gateway.calls[1]).toMatchObject({
      webhook_type: 'IDENTITY_GATEWAY',
      client_id: tenant.clientId,
      identity_verification_id: attempt.id,
      step: 'kyc_check',
      user: { name: maren.name, id_number: maren.id_number },
    })
    expect((await read(tenant, attempt)).steps.kyc_check).toBe('active')
    gateway.answers['kyc_check'] = { status: 'success', results: { kyc_check } }
    gateway.answers['risk_check'] = { status: 'pending_review' }
    await pass(5)
    const after = await read(tenant, attempt)
    expect(after.steps.kyc_check).toBe('success')
    expect(after.kyc_check).toEqual({ ...kyc_check, status: 'success' })
    // The next check was begun in the same transaction.
    await runDue()
    expect(await read(tenant, attempt)).toMatchObject({
      status: 'pending_review',
      risk_check: null,
    })
    expect(await pending()).toEqual([])
    expect(await webhooks()).toEqual(expect.arrayContaining(['STEP_UPDATED', 'STATUS_UPDATED']))
    expect(gateway.unsigned).toBe(0)
  })

  test('can end with the first answer', async () => {
    gateway.answers['watchlist_screening'] = { status: 'success' }
    const attempt = await screening()
    await runDue()
    const after = await read(tenant, attempt)
    expect([after.status, after.watchlist_screening_id]).toEqual(['success', expect.any(String)])
  })

  test('is asked for at the time that the gateway names', async () => {
    gateway.answers['watchlist_screening'] = { status: 'pending', retry_after_seconds: 600 }
    await screening()
    await runDue()
    await pass(599)
    expect(codes()).toEqual(['AUTHORIZE', 'SUBMIT'])
    await pass(1)
    expect(codes()).toEqual(['AUTHORIZE', 'SUBMIT', 'RESULT'])
  })

  test('has the pictures of its upload, by links that work for a minute', async () => {
    const attempt = await startAttempt(service, tenant, [
      'documentary_verification',
      'selfie_check',
    ])
    await upload(service, tenant, attempt.id, 'original_front_1')
    gateway.answers['documentary_verification'] = { status: 'again', flaw: 'blurred' }
    await submitUpload(service, tenant, attempt.id, 'documentary_verification')
    await runDue()
    const [first] = submitted()
    const [picture] = first!['pictures'] as { name: string; url: string }[]
    expect(picture?.name).toBe('original_front_1')
    const fetched = await service.fetch(new Request(picture!.url))
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await read(tenant, attempt)).steps.documentary_verification).toBe('active')

    await upload(service, tenant, attempt.id, 'original_front_2')
    gateway.answers['documentary_verification'] = {
      status: 'success',
      results: { documentary_verification: { extracted_data: null, analysis } },
    }
    await submitUpload(service, tenant, attempt.id, 'documentary_verification', 2)
    await runDue()
    expect((submitted()[1]!['pictures'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'original_front_2',
    ])
    const { documentary_verification } = await read(tenant, attempt)
    expect(documentary_verification).toMatchObject({
      status: 'success',
      documents: [
        { attempt: 1, status: 'failed', analysis: { image_quality: 'low' } },
        { attempt: 2, status: 'success', analysis },
      ],
    })
    now += 60_000
    expect((await service.fetch(new Request(picture!.url))).status).toBe(404)

    await upload(service, tenant, attempt.id, 'selfie_1')
    await submitUpload(service, tenant, attempt.id, 'selfie_check')
    await runDue()
    expect((submitted()[2]!['pictures'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'selfie_1',
      'original_front_2',
    ])
  })

  test('that leaves the decision to a reviewer shows its pictures in the dashboard', async () => {
    const attempt = await startAttempt(service, tenant, ['documentary_verification'])
    await upload(service, tenant, attempt.id, 'original_front_1')
    gateway.answers['documentary_verification'] = { status: 'pending_review' }
    await submitUpload(service, tenant, attempt.id, 'documentary_verification')
    await runDue()
    const reviewer = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
    const asked = { identity_verification_id: attempt.id }
    const { uploads, verification, revision } = await reviewer.ask(
      'dashboardVerificationGet',
      asked,
    )
    expect(verification.documentary_verification).toBeNull()
    expect(uploads.map(({ name }) => name)).toEqual(['original_front_1'])
    const { status } = await service.fetch(new Request(uploads[0]!.url))
    const developer = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
    const hidden = await developer.ask('dashboardVerificationGet', asked)
    expect([status, hidden.uploads]).toEqual([200, []])
    await reviewer.ask('dashboardStepDecide', {
      ...asked,
      revision,
      step: 'documentary_verification',
      decision: 'approve',
      reason: 'The branch has compared the document with the person.',
    })
    expect((await read(tenant, attempt)).status).toBe('success')
    expect((await webhooks()).filter((code) => code === 'STATUS_UPDATED')).toHaveLength(2)
  })

  test('sends a code, and leaves its tries and times to the service', async () => {
    gateway.answers['verify_sms'] = { status: 'sent' }
    const attempt = await startAttempt(service, tenant, ['verify_sms'])
    expect(await sendCode(service, tenant, attempt.id, '123456')).toBe(true)
    await runDue()
    const [call] = submitted()
    expect(call).toMatchObject({ message: { phone_number: maren.phone_number, code: '123456' } })
    expect(call).not.toHaveProperty('user')
    expect([await pending(), (await read(tenant, attempt)).steps.verify_sms]).toEqual([
      [],
      'active',
    ])
  })

  test('forgets a code that could not be sent in time', async () => {
    gateway.mishaps = Array(30).fill({ status: 503 })
    const attempt = await startAttempt(service, tenant, ['verify_sms'])
    await sendCode(service, tenant, attempt.id, '123456')
    await runDue()
    for (let minute = 0; minute < 10; minute += 1) await pass(60)
    expect(await pending()).toEqual([])
    const { length } = submitted()
    await pass(3600)
    expect(submitted()).toHaveLength(length)
  })
})

const analysis = {
  authenticity: 'match',
  image_quality: 'high',
  extracted_data: null,
  aamva_verification: null,
}

describe('a gateway that fails', () => {
  test.each([
    ['cuts the connection', 'cut'],
    ['ends in the middle', 'half'],
    ['does not answer', 'slow'],
    ['sends a page', 'html'],
    ['sends too much', 'huge'],
    ['sends elsewhere', 'redirect'],
    ['answers for another check', 'other check'],
    ['has an error', { status: 500 }],
    ['wants nobody', { status: 401 }],
    ['answers nothing', { body: null }],
    ['answers a list', { body: [] }],
    ['knows another status', { body: { check_id: 'x', status: 'fine' } }],
    ['adds a field', { body: { check_id: 'x', status: 'success', more: 1 } }],
  ] as const)('and %s is asked again later, by the same id', async (_what, mishap) => {
    gateway.answers['watchlist_screening'] = { status: 'success' }
    gateway.mishaps = [mishap]
    const attempt = await screening()
    await runDue()
    const [check] = await pending()
    expect(check).toMatchObject({ calls: 1, submitted_at: null, failure: expect.any(String) })
    expect((await read(tenant, attempt)).status).toBe('active')
    await runDue()
    expect(submitted()).toHaveLength(1)
    await pass(5)
    expect((await read(tenant, attempt)).status).toBe('success')
    const ids = submitted().map(({ check_id }) => check_id)
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    // Nothing of a person is told.
    expect(lines.join('\n')).not.toMatch(/Talvik|Juniper|900123456|4155550142/)
    expect(lines.join('\n')).toContain('an identity check waits')
  })

  test('waits longer each time, and leaves the decision to a reviewer after a day', async () => {
    gateway.mishaps = Array(200).fill({ status: 503 })
    const attempt = await screening()
    await runDue()
    const times: number[] = []
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      const { length } = gateway.calls
      await pass(60)
      if (gateway.calls.length > length) times.push(minutes)
    }
    expect(times.length).toBeLessThan(40)
    expect(times.length).toBeGreaterThan(24)
    expect((await read(tenant, attempt)).status).toBe('pending_review')
    expect(await pending()).toEqual([])
  })

  test('and does not know the signature gets no check', async () => {
    const other = await newTenant(service)
    gateway.client = other.api
    const attempt = await screening()
    await runDue()
    expect([gateway.unsigned, codes()]).toEqual([1, []])
    expect((await pending())[0]?.failure).toBe('the gateway answered 401')
    gateway.client = tenant.api
    gateway.answers['watchlist_screening'] = { status: 'success' }
    await pass(5)
    expect((await read(tenant, attempt)).status).toBe('success')
  })

  test('and does not serve a step is told no data of the user', async () => {
    gateway.steps = ['kyc_check']
    await screening()
    await runDue()
    expect(codes()).toEqual(['AUTHORIZE'])
    expect((await pending())[0]?.failure).toContain('does not serve the step watchlist_screening')
  })

  test.each([
    ['watchlist_screening', { status: 'sent' }],
    ['watchlist_screening', { status: 'again', flaw: 'blurred' }],
    ['watchlist_screening', { status: 'again' }],
    ['kyc_check', { status: 'success', results: { kyc_check: { status: 'success' } } }],
    [
      'kyc_check',
      {
        status: 'success',
        results: { kyc_check: { ...kyc_check, name: { summary: 'match', more: 1 } } },
      },
    ],
  ])('with an answer that does not fit %s is asked again', async (step, answer) => {
    gateway.answers[step] = answer
    const attempt = await screening(step)
    await runDue()
    expect(await pending()).toMatchObject([{ calls: 1, submitted_at: null }])
    expect((await read(tenant, attempt)).status).toBe('active')
  })
})

describe('an answer', () => {
  test('that comes after the attempt has ended changes nothing', async () => {
    const attempt = await screening()
    await runDue()
    await as(service, tenant, async (ctx) => {
      const row = await requireAttempt(ctx, attempt.id)
      await writeAttempt(ctx, row, endAttemptStep(ctx, row, 'expired'))
    })
    gateway.answers['watchlist_screening'] = { status: 'failed' }
    await pass(3600)
    expect((await read(tenant, attempt)).status).toBe('expired')
    expect(await pending()).toEqual([])
    expect(codes()).toEqual(['AUTHORIZE', 'SUBMIT'])
  })

  test('that another process got first is not written twice', async () => {
    gateway.answers['watchlist_screening'] = { status: 'success' }
    await screening()
    await Promise.all([runDue(), runDue(), runDue()])
    expect(submitted()).toHaveLength(1)
    expect((await webhooks()).filter((code) => code === 'STATUS_UPDATED')).toHaveLength(1)
  })

  test('that a process did not live to see is asked for again by the same id', async () => {
    gateway.mishaps = ['slow']
    const attempt = await screening()
    const late = runDue()
    await expect.poll(() => submitted().length).toBe(1)
    // The claim of a process that was killed here. Its lease ends.
    const [row] = await rowsOf<{ leased_until: number; fence: number }>(
      'select leased_until, fence from identity_checks where client_id = $1',
    )
    expect(Number(row!.leased_until)).toBeGreaterThan(now)
    await late
    await as(service, tenant, (ctx) =>
      ctx.own.run(
        'update identity_checks set leased_until = $2, due_at = $3, calls = 0 where client_id = $1',
        [Number(row!.leased_until), now],
      ),
    )
    gateway.answers['watchlist_screening'] = { status: 'success' }
    await pass(60)
    expect(submitted()).toHaveLength(1)
    await pass(61)
    expect((await read(tenant, attempt)).status).toBe('success')
    expect(new Set(submitted().map(({ check_id }) => check_id)).size).toBe(1)
  })

  test('of an older claim is not written', async () => {
    gateway.mishaps = ['slow']
    const attempt = await screening()
    const late = runDue()
    await expect.poll(() => submitted().length).toBe(1)
    // The process seemed dead, and another one took over.
    await as(service, tenant, (ctx) =>
      ctx.own.run('update identity_checks set fence = fence + 1 where client_id = $1'),
    )
    await late
    expect(await pending()).toMatchObject([{ calls: 0, failure: null }])
    expect((await read(tenant, attempt)).status).toBe('active')
  })
})
