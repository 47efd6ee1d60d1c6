import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addTemplates,
  advance,
  all,
  createUser,
  creation,
  errorOf,
  invalid,
  kyc,
  maren,
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

const rejectedCreation = async (more: Parameters<typeof creation>[0]) =>
  errorOf(await tenant.api.identityVerificationCreate(creation(more)))

describe('identityVerificationCreate', () => {
  test('starts at the terms where consent is still to be given', async () => {
    const attempt = await start(tenant, { gave_consent: false })
    expect(attempt).toMatchObject({
      id: expect.stringMatching(/^idv_[A-Za-z0-9]{14}$/),
      client_user_id: 'borrower-7f3a',
      completed_at: null,
      previous_attempt_id: null,
      shareable_url: null,
      template: { id: all, version: 3 },
      status: 'active',
      user_id: null,
    })
    expect(attempt.steps).toEqual({
      accept_tos: 'active',
      verify_sms: 'waiting_for_prerequisite',
      kyc_check: 'waiting_for_prerequisite',
      documentary_verification: 'waiting_for_prerequisite',
      selfie_check: 'waiting_for_prerequisite',
      watchlist_screening: 'waiting_for_prerequisite',
      risk_check: 'waiting_for_prerequisite',
    })
  })

  test('skips the terms after consent, and leaves out what the template does not have', async () => {
    const { steps } = await start(tenant, { template_id: kyc, gave_consent: true })
    expect(steps).toEqual({
      accept_tos: 'skipped',
      verify_sms: 'not_applicable',
      kyc_check: 'active',
      documentary_verification: 'not_applicable',
      selfie_check: 'not_applicable',
      watchlist_screening: 'not_applicable',
      risk_check: 'not_applicable',
    })
  })

  test('is passed at once when consent was everything that the template asks for', async () => {
    const { template_id } = await tenant.control('sandboxIdentityVerificationTemplateCreate', {
      steps: ['accept_tos'],
    })
    const attempt = await start(tenant, { template_id, gave_consent: true })
    expect(attempt).toMatchObject({ status: 'success', completed_at: attempt.created_at })
  })

  test('has a link with a key of its own where it is shareable', async () => {
    const one = await start(tenant, { is_shareable: true })
    const other = await start(tenant, { is_shareable: true, client_user_id: 'other' })
    expect(one.shareable_url).toMatch(
      new RegExp(`^${service.url}/verify/${one.id}\\?key=[0-9a-f]{64}$`),
    )
    expect(one.shareable_url?.slice(-64)).not.toBe(other.shareable_url?.slice(-64))
  })

  test('shows what is known of the user, and null for the rest', async () => {
    const { user } = await start(tenant, { user: maren })
    expect(user).toEqual({ ...maren, ip_address: null })
    const bare = await start(tenant, {
      client_user_id: 'bare',
      user: { address: { country: 'GB' } },
    })
    expect(bare.user).toEqual({
      phone_number: null,
      date_of_birth: null,
      ip_address: null,
      email_address: null,
      name: null,
      address: {
        street: null,
        street2: null,
        city: null,
        region: null,
        postal_code: null,
        country: 'GB',
      },
      id_number: null,
    })
  })

  test('keeps id numbers and the keys of links encrypted', async () => {
    const { shareable_url } = await start(tenant, { user: maren, is_shareable: true })
    const rows = await service.service.database.read((db) =>
      db.all('select * from identity_verifications where client_id = $1', [tenant.clientId]),
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(maren.id_number.value)
    expect(JSON.stringify(rows)).not.toContain(shareable_url?.slice(-64))
  })

  test('takes the name of the user from their record', async () => {
    const user_id = await createUser(tenant, 'borrower-record')
    const attempt = await start(tenant, { client_user_id: undefined as never, user_id })
    expect(attempt).toMatchObject({ user_id, client_user_id: 'borrower-record' })
  })

  test('rejects an unknown user, and one of another client', async () => {
    const foreign = await createUser(await service.tenant(), 'x')
    for (const user_id of ['usr_zzzzzzzzzzzzzz', foreign]) {
      expect(await rejectedCreation({ user_id })).toMatchObject({ error_code: 'USER_NOT_FOUND' })
    }
  })

  test('rejects a malformed user id', async () => {
    expect(await rejectedCreation({ user_id: 'borrower-7f3a' })).toMatchObject({
      error_code: 'INVALID_USER_ID',
    })
  })

  test('rejects two ids of different users', async () => {
    const user_id = await createUser(tenant, 'another')
    expect(await rejectedCreation({ user_id })).toEqual(invalid('client_user_id'))
    expect(await start(tenant, { user_id, client_user_id: 'another' })).toMatchObject({ user_id })
  })

  test('rejects a user beside a user id', async () => {
    const user_id = await createUser(tenant, 'another')
    // @ts-expect-error the types do so, too
    const rejection = await rejectedCreation({ user_id, client_user_id: 'another', user: {} })
    expect(rejection).toEqual(invalid('user'))
  })

  test('rejects a request that names no user', async () => {
    const { client_user_id: _, ...body } = creation()
    const { status, body: answer } = await tenant.post('/identity_verification/create', body)
    expect({ status, code: answer['error_code'] }).toEqual({ status: 400, code: 'MISSING_FIELDS' })
  })

  test('rejects a template that is unknown or of another client', async () => {
    const other = await service.tenant()
    const { template_id } = await other.control('sandboxIdentityVerificationTemplateCreate', {
      steps: ['kyc_check'],
    })
    expect(await rejectedCreation({ template_id })).toEqual(invalid('template_id'))
    expect(await rejectedCreation({ template_id: 'idvtmp_x' })).toEqual(invalid('template_id'))
  })

  test.each([
    ['an e-mail address', 'maren@example.com'],
    ['a phone number', '+14155550142'],
    ['a phone number with punctuation', '(415) 555-0142'],
  ])('rejects %s as the name of a user', async (_kind, client_user_id) => {
    expect(await rejectedCreation({ client_user_id })).toEqual(invalid('client_user_id'))
  })

  test.each([
    ['email_address', ' maren@example.com'],
    ['phone_number', '4155550142'],
    ['date_of_birth', '1991-02-30'],
    ['date_of_birth', '2999-01-01'],
    ['name', { given_name: 'Maren' }],
    ['name', { given_name: ' ', family_name: 'Talvik' }],
    ['address', { street: '18 Juniper Lane', country: 'US' }],
    ['address', { ...maren.address, postal_code: '9703' }],
    ['address', { ...maren.address, region: 'US-OR' }],
    ['address', { country: 'ZZ' }],
    ['address', { country: 'UK' }],
    ['id_number', { value: '900-12-3456', type: 'us_ssn' }],
    ['id_number', { value: '12345678', type: 'us_ssn' }],
  ])('rejects a %s that is not wholly valid: %j', async (field, value) => {
    const body = { ...creation(), user: { ...maren, [field]: value } }
    const { status, body: answer } = await tenant.post('/identity_verification/create', body)
    expect(status).toBe(400)
    expect(answer['error_code']).toBe('INVALID_FIELD')
    expect(answer['error_message']).toContain(`\`user.${field}`)
  })

  test('rejects a second attempt of a user at a template, whatever became of the first', async () => {
    const { id } = await start(tenant)
    expect(await rejectedCreation({})).toEqual(invalid('template_id'))
    expect(await rejectedCreation({ is_idempotent: null })).toEqual(invalid('template_id'))
    await advance(tenant, id, 'canceled')
    expect(await rejectedCreation({ is_idempotent: false })).toEqual(invalid('template_id'))
    await start(tenant, { template_id: kyc })
    await start(tenant, { client_user_id: 'other' })
    await start(await service.tenant())
  })

  test('rejects a second attempt of the same user by their other id', async () => {
    const user_id = await createUser(tenant, 'borrower-7f3a')
    await start(tenant)
    const { client_user_id: _, ...body } = creation({ user_id })
    const { body: answer } = await tenant.post('/identity_verification/create', body)
    expect(answer['error_code']).toBe('INVALID_FIELD')
  })

  test('answers with the newest attempt unmodified where it is idempotent', async () => {
    const first = await start(tenant, { user: maren })
    const again = { gave_consent: false, is_shareable: true, is_idempotent: true }
    expect(await start(tenant, again)).toEqual({ ...first, request_id: expect.any(String) })
    const retry = await tenant.control('sandboxIdentityVerificationRetry', {
      client_user_id: 'borrower-7f3a',
      template_id: all,
    })
    expect(await start(tenant, again)).toEqual({ ...retry, request_id: expect.any(String) })
  })

  test('makes one attempt of two creations at once, and rejects the other', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => tenant.api.identityVerificationCreate(creation())),
    )
    expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 400, 400])
  })

  test('answers idempotent creations at once with the same attempt', async () => {
    const attempts = await Promise.all([1, 2, 3].map(() => start(tenant, { is_idempotent: true })))
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1)
  })

  test('meets an index where two first attempts would be written', async () => {
    await start(tenant)
    const second = service.service.database.transaction((db) =>
      db.run(
        `insert into identity_verifications (client_id, id, sequence, client_user_id, template_id,
           template_version, gave_consent, status, steps, user_data, created_at)
         values ($1, 'idv_2', 2, 'borrower-7f3a', $2, 3, 1, 'active', '{}', '{}', '')`,
        [tenant.clientId, all],
      ),
    )
    await expect(second).rejects.toThrow(/unique/i)
  })
})

describe('sandboxIdentityVerificationTemplateCreate', () => {
  const create = (
    body: Parameters<typeof tenant.control<'sandboxIdentityVerificationTemplateCreate'>>[1],
  ) => tenant.control('sandboxIdentityVerificationTemplateCreate', body)

  test('makes a template whose steps run in the order of the interface', async () => {
    const { template_id, version } = await create({ steps: ['kyc_check', 'verify_sms'] })
    expect({ template_id, version }).toEqual({
      template_id: expect.stringMatching(/^idvtmp_[A-Za-z0-9]{14}$/),
      version: 1,
    })
    const { steps } = await start(tenant, { template_id })
    expect(steps).toMatchObject({ verify_sms: 'active', kyc_check: 'waiting_for_prerequisite' })
  })

  test('makes the next version, which new attempts follow and running ones do not', async () => {
    const { template_id } = await create({ template_id: 'idvtmp_own', steps: ['kyc_check'] })
    const { id } = await start(tenant, { template_id })
    const { version } = await create({ template_id, steps: ['selfie_check'] })
    expect(version).toBe(2)
    const newer = await start(tenant, { template_id, client_user_id: 'newer' })
    expect(newer).toMatchObject({ template: { version: 2 }, steps: { selfie_check: 'active' } })
    expect(await advance(tenant, id, 'success')).toMatchObject({
      status: 'success',
      template: { version: 1 },
    })
  })

  test('makes a version of a template of all seed data for its client only', async () => {
    const { version } = await create({ template_id: kyc, steps: ['selfie_check'] })
    expect(version).toBe(2)
    expect(await start(tenant, { template_id: kyc })).toMatchObject({ template: { version: 2 } })
    expect(await start(await service.tenant(), { template_id: kyc })).toMatchObject({
      template: { version: 1 },
      steps: { kyc_check: 'active' },
    })
  })
})

describe('sandboxIdentityVerificationRetry', () => {
  const retry = { client_user_id: 'borrower-7f3a', template_id: all }

  test('gives a new attempt with the same data at the first step', async () => {
    const first = await start(tenant, { user: maren, is_shareable: true })
    const failed = await advance(tenant, first.id, 'failed')
    expect(failed.user.ip_address).not.toBeNull()
    const second = await tenant.control('sandboxIdentityVerificationRetry', retry)
    expect(second).toMatchObject({
      previous_attempt_id: first.id,
      user: { ...maren, ip_address: null },
      status: 'active',
      steps: first.steps,
      completed_at: null,
      verify_sms: null,
    })
    expect(second.id).not.toBe(first.id)
    expect(second.shareable_url).not.toBe(first.shareable_url)
    expect(second.shareable_url).toContain(second.id)
    const third = await tenant.control('sandboxIdentityVerificationRetry', retry)
    expect(third.previous_attempt_id).toBe(second.id)
    const { data } = await tenant.api.identityVerificationList(retry)
    expect(data?.identity_verifications.map(({ id, status }) => [id, status])).toEqual([
      [third.id, 'active'],
      [second.id, 'active'],
      [first.id, 'failed'],
    ])
  })

  test.each([
    { gave_consent: true, is_shareable: false },
    { gave_consent: false, is_shareable: true },
  ])('keeps what the attempt before had: %o', async (had) => {
    const own = await service.tenant()
    const first = await start(own, { user: maren, ...had })
    expect(first.shareable_url !== null).toBe(had.is_shareable)
    expect(first.steps.accept_tos).toBe(had.gave_consent ? 'skipped' : 'active')
    await advance(own, first.id, 'failed')
    const second = await own.control('sandboxIdentityVerificationRetry', retry)
    expect(second.shareable_url !== null).toBe(had.is_shareable)
    expect(second.steps).toEqual(first.steps)
  })

  test('rejects a user without an attempt at the template', async () => {
    await start(await service.tenant())
    await start(tenant, { template_id: kyc })
    const { status, body } = await tenant.post('/sandbox/identity_verification/retry', retry)
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'INVALID_FIELD' })
  })
})
