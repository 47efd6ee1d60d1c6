import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserCreateRequest, UserIdentityInput } from '../../src/index.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import {
  findUserByClientUserId,
  findUserById,
  findUserByToken,
  insertUser,
  requireUserById,
  requireUserByToken,
} from '../../src/server/users/store.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const client_user_id = 'borrower-7f3a'

const create = (tenant: Tenant, body: Partial<UserCreateRequest> = {}) =>
  tenant.api.userCreate({ client_user_id, ...body })

const reportIdentity = {
  first_name: 'Maren',
  last_name: 'Talvik',
  phone_numbers: ['+14155550142'],
  emails: ['maren.talvik@example.com'],
  ssn_full: '900-12-3456',
  ssn_last_4: '3456',
  date_of_birth: '1991-07-23',
  primary_address: {
    street: '18 Juniper Lane, Apt 4',
    city: 'Larkspur Falls',
    region: 'OR',
    postal_code: '97031',
    country: 'US' as const,
  },
}

const identity: UserIdentityInput = {
  name: { given_name: 'Maren', family_name: 'Talvik' },
  date_of_birth: '1991-07-23',
  emails: [{ data: 'maren.talvik@example.com', primary: true }, 'maren@example.com'],
  phone_numbers: ['+14155550142', { data: '+14155550143' }],
  addresses: [
    {
      street_1: '18 Juniper Lane',
      street_2: 'Apt 4',
      city: 'Larkspur Falls',
      region: 'OR',
      country: 'US',
      postal_code: '97031',
      type: 'home',
      primary: true,
    },
    { country: 'EE', city: null },
  ],
  id_numbers: [
    { value: '900-12-3456', type: 'us_ssn', category: 'social_security', country_code: 'US' },
    null,
    { value: '3456', type: 'us_ssn_last_4' },
    { value: '123.456.789-09', type: 'br_cpf' },
  ],
}

const nothing = { error_type: null, error_code: null, error_message: null }

/** Runs work as a handler of this tenant's would. */
function as<Result>(tenant: Tenant, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const client = {
    client_id: tenant.clientId,
    default_version: null,
    clock_offset_ms: 0,
    features: '[]',
    injections: 0,
    resets: 0,
    listens_until: null,
  }
  const now = service.service.clock()
  return service.service.database.transaction((db) =>
    work(createContext(service.service, db, { client, now }).ctx),
  )
}

describe('userCreate', () => {
  test('gives a token and an id', async () => {
    const { data, response } = await create(await service.tenant())
    expect(response.status).toBe(200)
    expect(data).toEqual({
      user_token: expect.stringMatching(/^user-sandbox-[0-9a-f-]{36}$/),
      user_id: expect.stringMatching(/^usr_[A-Za-z0-9]{14}$/),
      identity_creation_result: { result: 'NOT_PROVIDED', ...nothing },
      request_id: expect.any(String),
    })
  })

  test('takes each client_user_id once', async () => {
    const tenant = await service.tenant()
    const first = await create(tenant)
    const { error, response } = await create(tenant, { end_customer: 'larkspur-branch-12' })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ error_type: 'INVALID_REQUEST', error_code: 'INVALID_FIELD' })
    expect(error?.error_message).toMatch(/`client_user_id`.* already exists/)
    const kept = await as(tenant, (ctx) => findUserByClientUserId(ctx, client_user_id))
    expect(kept).toMatchObject({ user_id: first.data!.user_id, end_customer: null })
  })

  test('tells case apart in a client_user_id, and clients from each other', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await create(tenant)
    expect((await create(tenant, { client_user_id: 'Borrower-7F3A' })).response.status).toBe(200)
    expect((await create(other)).response.status).toBe(200)
  })

  test('makes one user of many that are created at once', async () => {
    const tenant = await service.tenant()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(tenant)))
    const codes = answers.map(({ error }) => error?.error_code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'INVALID_FIELD')).toHaveLength(7)
  })

  test.each([
    'maren.talvik@example.com',
    '+14155550142',
    '(415) 555-0142',
    '415-555-0142',
    '',
    'x'.repeat(129),
  ])('rejects the client_user_id %j', async (rejected) => {
    const { error } = await create(await service.tenant(), { client_user_id: rejected })
    expect(error?.error_code).toBe('INVALID_FIELD')
  })

  test.each(['4155550142', 'user-1700000000', 'x'.repeat(128), 'maren@home'])(
    'accepts the client_user_id %j',
    async (accepted) => {
      const { response } = await create(await service.tenant(), { client_user_id: accepted })
      expect(response.status).toBe(200)
    },
  )

  test('stores an identity that can be used', async () => {
    const tenant = await service.tenant()
    const { data } = await create(tenant, { identity })
    expect(data?.identity_creation_result).toEqual({ result: 'SUCCEEDED', ...nothing })
    const [row] = await as(tenant, ({ db }) =>
      db.all<{ identity: string }>('select identity from users where user_id = $1', [
        data!.user_id,
      ]),
    )
    const { id_numbers: _, ...rest } = identity
    expect(JSON.parse(row!.identity)).toEqual(rest)
  })

  test('takes a null identity for none', async () => {
    const { data } = await create(await service.tenant(), {
      identity: null,
      consumer_report_user_identity: null,
    })
    expect(data?.identity_creation_result.result).toBe('NOT_PROVIDED')
  })

  test.each<[string, UserIdentityInput]>([
    ['identity.name.family_name', { name: { given_name: 'Maren', family_name: ' ' } }],
    ['identity.date_of_birth', { date_of_birth: '2999-01-01' }],
    ['identity.date_of_birth', { date_of_birth: '1801-01-01' }],
    [
      'identity.addresses[1].street_1',
      { addresses: [{ country: 'US' }, { country: 'US', street_1: '18' }] },
    ],
    ['identity.addresses[0].city', { addresses: [{ country: 'US', city: '-' }] }],
    ['identity.addresses[0].country', { addresses: [{ country: 'QX' }] }],
    ['identity.addresses[0].country', { addresses: [{ country: 'ZZ' }] }],
    ['identity.id_numbers[0].value', { id_numbers: [{ value: '90012', type: 'us_ssn' }] }],
    [
      'identity.id_numbers[1].value',
      { id_numbers: [null, { value: '345', type: 'us_ssn_last_4' }] },
    ],
    ['identity.id_numbers[0].value', { id_numbers: [{ value: '***', type: 'ca_sin' }] }],
    [
      'identity.id_numbers[0].country_code',
      { id_numbers: [{ value: '900123456', type: 'us_ssn', country_code: 'CA' }] },
    ],
  ])('creates the user without an identity whose %s cannot be right', async (path, unusable) => {
    const tenant = await service.tenant()
    const { data, response } = await create(tenant, { identity: { ...identity, ...unusable } })
    expect(response.status).toBe(200)
    expect(data?.identity_creation_result).toEqual({
      result: 'FAILED',
      error_type: 'INVALID_INPUT',
      error_code: 'INVALID_USER_IDENTITY_DATA',
      error_message: expect.stringContaining(`\`${path}\``),
    })
    const stored = await as(tenant, ({ db }) =>
      db.first('select identity, id_numbers from users where user_id = $1', [data!.user_id]),
    )
    expect(stored).toEqual({ identity: null, id_numbers: null })
  })

  test('says of a short number what the contract’s example says', async () => {
    const { data } = await create(await service.tenant(), {
      identity: { id_numbers: [{ value: '90012', type: 'us_ssn' }] },
    })
    expect(data?.identity_creation_result.error_message).toBe(
      '`identity.id_numbers[0].value` must be nine digits for the type us_ssn',
    )
  })

  test('takes an identity for consumer reports, which has no result', async () => {
    const { data, response } = await create(await service.tenant(), {
      end_customer: 'larkspur-branch-12',
      consumer_report_user_identity: reportIdentity,
    })
    expect(response.status).toBe(200)
    expect(data?.identity_creation_result.result).toBe('NOT_PROVIDED')
  })

  test.each([
    ['ssn_full', { ssn_full: '900123456' }],
    ['ssn_last_4', { ssn_last_4: '345' }],
    ['date_of_birth', { date_of_birth: '1991-02-30' }],
    ['date_of_birth', { date_of_birth: '2999-01-01' }],
    [
      'primary_address.country',
      { primary_address: { ...reportIdentity.primary_address, country: 'CA' } },
    ],
    ['phone_numbers', { phone_numbers: ['4155550142'] }],
  ])('rejects an identity for consumer reports with a malformed %s', async (field, malformed) => {
    const { status, body } = await (await service.tenant()).post('/user/create', {
      client_user_id,
      consumer_report_user_identity: { ...reportIdentity, ...malformed },
    })
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'INVALID_FIELD' })
    expect(body['error_message']).toContain(field)
  })

  test('takes last four digits that are not those of the whole social security number', async () => {
    const tenant = await service.tenant()
    const { data, response } = await create(tenant, {
      consumer_report_user_identity: { ...reportIdentity, ssn_last_4: '3457' },
    })
    expect(response.status).toBe(200)
    const user = await as(tenant, ({ db }) =>
      db.first<{ ssn_full: string; ssn_last_4: string }>(
        'select ssn_full, ssn_last_4 from users where user_id = $1',
        [data!.user_id],
      ),
    )
    const { keys } = service.service
    const kept = [user!.ssn_full, user!.ssn_last_4].map((number) => keys.decrypt(number))
    expect(kept).toEqual(['900-12-3456', '3457'])
  })

  test('rejects an identity for consumer reports that lacks a part', async () => {
    const { last_name: _, ...rest } = reportIdentity
    const { body } = await (await service.tenant()).post('/user/create', {
      client_user_id,
      consumer_report_user_identity: rest,
    })
    expect(body['error_code']).toBe('MISSING_FIELDS')
  })

  test('keeps no token and no number of a document in the clear', async () => {
    const tenant = await service.tenant()
    const { data } = await create(tenant, {
      identity,
      consumer_report_user_identity: reportIdentity,
    })
    const row = await as(tenant, ({ db }) =>
      db.first('select * from users where user_id = $1', [data!.user_id]),
    )
    const text = JSON.stringify(row)
    for (const secret of [data!.user_token, '12-3456', '"3456"', '789-09']) {
      expect(text).not.toContain(secret)
    }
  })

  test('keeps the numbers so that they can be read again', async () => {
    const tenant = await service.tenant()
    const { data } = await create(tenant, {
      identity,
      consumer_report_user_identity: reportIdentity,
    })
    const { keys } = service.service
    const user = await as(tenant, ({ db }) =>
      db.first<{ ssn_full: string; ssn_last_4: string; id_numbers: string }>(
        'select ssn_full, ssn_last_4, id_numbers from users where user_id = $1',
        [data!.user_id],
      ),
    )
    expect(keys.decrypt(user!.ssn_full)).toBe('900-12-3456')
    expect(keys.decrypt(user!.ssn_last_4)).toBe('3456')
    expect(JSON.parse(keys.decrypt(user!.id_numbers))).toEqual(identity.id_numbers)
  })
})

describe('a user', () => {
  test('is found by id, token and client_user_id, by its own client only', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { user_id, user_token } = (await create(tenant)).data!
    const find = (ctx: Context) =>
      Promise.all([
        findUserById(ctx, user_id),
        findUserByToken(ctx, user_token),
        findUserByClientUserId(ctx, client_user_id),
      ])
    const found = expect.objectContaining({ user_id, client_user_id })
    expect(await as(tenant, find)).toEqual([found, found, found])
    expect(await as(other, find)).toEqual([undefined, undefined, undefined])
    await expect(as(other, (ctx) => requireUserById(ctx, user_id))).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    })
    await expect(as(other, (ctx) => requireUserByToken(ctx, user_token))).rejects.toMatchObject({
      code: 'INVALID_USER_TOKEN',
    })
  })

  test('can be written with an id and a token that are given', async () => {
    const tenant = await service.tenant()
    const named = { user_id: 'usr_00000000000001', user_token: 'user-sandbox-1', client_user_id }
    await as(tenant, (ctx) => insertUser(ctx, named))
    expect(await as(tenant, (ctx) => requireUserByToken(ctx, 'user-sandbox-1'))).toMatchObject({
      user_id: 'usr_00000000000001',
    })
  })
})
