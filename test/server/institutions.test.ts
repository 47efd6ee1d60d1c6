import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentInitiationMetadata } from '#contract/closed.ts'
import { toInstitution, toInstitutionRow } from '../../src/server/institutions/institution.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant

const institutions = [
  { institution_id: 'ins_1', name: 'Tidewater Lantern Bank', products: ['auth', 'transactions'] },
  { institution_id: 'ins_2', name: 'Lantern & Quay Savings', products: ['transactions'] },
  { institution_id: 'ins_3', name: "Côte d'Ambre Crédit", products: ['identity'] },
] as const

beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
  for (const institution of institutions) {
    const products = [...institution.products]
    await tenant.control('sandboxInstitutionCreate', {
      ...institution,
      products,
      country_codes: ['US'],
      routing_numbers: institution.institution_id === 'ins_1' ? ['021000021'] : [],
    })
  }
  await tenant.control('sandboxInstitutionCreate', {
    institution_id: 'ins_4',
    name: 'Marlow Lantern',
    products: ['transactions'],
    country_codes: ['GB', 'IE'],
    oauth: true,
    auth_methods: { instant_match: true },
    status: { item_logins: { status: 'DOWN' } },
  })
})
afterAll(() => service.close())

async function search(query: string, more: object = {}, of = tenant): Promise<string[]> {
  const { data, error } = await of.api.institutionsSearch({
    query,
    country_codes: ['US', 'GB'],
    ...more,
  })
  if (error) throw new Error(JSON.stringify(error))
  return data.institutions.map((institution) => institution.institution_id)
}

describe('institutionsSearch', () => {
  test('finds a part of the name in any case, the start of the name first', async () => {
    expect(await search('LANTERN')).toEqual(['ins_2', 'ins_4', 'ins_1'])
  })

  test.each([
    ['an exact id', 'ins_3', ['ins_3']],
    ['a routing number', '021000021', ['ins_1']],
    ['an accent left out', 'cote dambre', ['ins_3']],
    ['another sign for "and"', 'lantern and quay', ['ins_2']],
    ['a letter left out', 'tidwater', ['ins_1']],
    ['two letters swapped', 'tidewtaer lantren', ['ins_1']],
    ['words in another order', 'bank tidewater', ['ins_1']],
    ['a space too many', ' tide water ', ['ins_1']],
    ['a space too few', 'lanternbank', ['ins_1']],
    ['an unknown name', 'zzzzqqqq', []],
    ['signs that are patterns in SQL', '%_%', []],
  ])('finds by %s', async (_case, query, expected) => {
    expect(await search(query)).toEqual(expected)
  })

  test('keeps to countries, products and OAuth', async () => {
    expect(await search('lantern', { country_codes: ['IE'] })).toEqual(['ins_4'])
    expect(await search('lantern', { products: ['transactions', 'auth'] })).toEqual([
      'ins_4',
      'ins_1',
    ])
    expect(await search('lantern', { options: { oauth: true } })).toEqual(['ins_4'])
    expect(await search('lantern', { options: { oauth: false } })).toEqual(['ins_2', 'ins_1'])
  })

  test('shows metadata only when asked', async () => {
    const bare = await tenant.api.institutionsSearch({ query: 'ins_4', country_codes: ['GB'] })
    expect(Object.keys(bare.data?.institutions[0] ?? {})).toEqual([
      'institution_id',
      'name',
      'products',
      'country_codes',
      'routing_numbers',
      'oauth',
      'status',
    ])
    const full = await tenant.api.institutionsSearch({
      query: 'ins_4',
      country_codes: ['GB'],
      options: {
        include_optional_metadata: true,
        include_auth_metadata: true,
        include_payment_initiation_metadata: true,
      },
    })
    expect(full.data?.institutions[0]).toMatchObject({
      url: null,
      logo: null,
      primary_color: null,
      payment_initiation_metadata: null,
      auth_metadata: { supported_methods: { instant_auth: false, instant_match: true } },
      status: { item_logins: { status: 'DOWN', refresh_interval: 'STOPPED' } },
    })
  })

  test('shows every field that an institution was created with', async () => {
    const other = await service.tenant()
    const at = '2026-03-16T12:05:09Z'
    const start = { start_date: at, title: 'Slow logins' }
    const resolved = { description: 'Found it.', status: 'RESOLVED' as const, updated_date: at }
    const over = { ...start, end_date: at, incident_updates: [resolved] }
    const breakdown = { success: 0.5, error_plaid: 0.25, error_institution: 0.25 }
    const described = {
      institution_id: 'ins_61',
      name: 'Quillmore Bank',
      country_codes: ['US' as const],
      routing_numbers: ['021000021'],
      oauth: true,
      url: 'https://quillmore.example',
      primary_color: '#123456',
    }
    await other.control('sandboxInstitutionCreate', {
      ...described,
      products: ['transactions', 'identity', 'transactions'],
      auth_methods: { instant_match: true },
      status: {
        item_logins: { status: 'DEGRADED', last_status_change: at, refresh_interval: 'DELAYED' },
        transactions_updates: { status: 'HEALTHY', last_status_change: at },
        identity: { status: 'DOWN', last_status_change: at, breakdown },
        health_incidents: [over, start],
      },
    })
    const { data } = await other.api.institutionsSearch({
      query: 'ins_61',
      country_codes: ['US'],
      options: {
        include_optional_metadata: true,
        include_auth_metadata: true,
        include_payment_initiation_metadata: true,
      },
    })
    const entry = (status: string, shares: number[], refresh_interval: string) => ({
      status,
      last_status_change: at,
      breakdown: {
        success: shares[0],
        error_plaid: shares[1],
        error_institution: shares[2],
        refresh_interval,
      },
      refresh_interval,
    })
    expect(data?.institutions).toEqual([
      {
        ...described,
        products: ['identity', 'transactions'],
        auth_metadata: {
          supported_methods: {
            instant_auth: false,
            instant_match: true,
            automated_micro_deposits: false,
            instant_micro_deposits: false,
          },
        },
        logo: null,
        payment_initiation_metadata: null,
        status: {
          item_logins: entry('DEGRADED', [0.62, 0.02, 0.36], 'DELAYED'),
          transactions_updates: entry('HEALTHY', [0.97, 0.01, 0.02], 'NORMAL'),
          identity: entry('DOWN', [0.5, 0.25, 0.25], 'STOPPED'),
          health_incidents: [over, { ...start, end_date: null, incident_updates: [] }],
        },
      },
    ])
  })

  test('shows what only seed data can describe', () => {
    const described = {
      institution_id: 'ins_62',
      name: 'Quillmore Bank',
      products: ['identity' as const],
      country_codes: ['GB' as const],
      dtc_numbers: ['0443'],
      logo: 'aGVsbG8=',
    }
    const payments = { supports_international_payments: true } as PaymentInitiationMetadata
    const input = { ...described, payment_initiation_metadata: payments }
    const shown = { optional: true, auth: true, paymentInitiation: true }
    expect(toInstitution(toInstitutionRow(input, '2026-03-16T12:00:00Z'), shown)).toEqual({
      ...described,
      routing_numbers: [],
      oauth: false,
      url: null,
      primary_color: null,
      auth_metadata: null,
      payment_initiation_metadata: payments,
      status: null,
    })
  })

  test.each([
    ['Instant Auth where `auth` is a product', ['auth' as const], {}, true],
    ['none where it is not', ['identity' as const], {}, false],
    ['none where all are refused', ['identity' as const], { instant_match: false }, false],
    ['others', ['identity' as const], { automated_micro_deposits: true }, true],
  ])('shows the ways to verify an account: %s', async (_case, products, methods, isShown) => {
    const other = await service.tenant()
    await other.control('sandboxInstitutionCreate', {
      name: 'Harbor Bank',
      products,
      country_codes: ['US'],
      ...(Object.keys(methods).length > 0 ? { auth_methods: methods } : {}),
    })
    const { data } = await other.api.institutionsSearch({
      query: 'harbor',
      country_codes: ['US'],
      options: { include_auth_metadata: true },
    })
    const isAuth = (products as string[]).includes('auth')
    const none = {
      instant_auth: isAuth,
      instant_match: false,
      automated_micro_deposits: false,
      instant_micro_deposits: false,
    }
    const metadata = isShown ? { supported_methods: { ...none, ...methods } } : null
    expect(data?.institutions[0]?.auth_metadata).toEqual(metadata)
    // A search for `auth` also finds those that verify accounts in ways that Link offers.
    const found = await search('harbor', { products: ['auth'] }, other)
    expect(found).toHaveLength(isShown ? 1 : 0)
  })

  test('returns ten at most', async () => {
    const other = await service.tenant()
    for (let index = 0; index < 12; index += 1) {
      const name = `Harbor Bank ${index}`
      await other.control('sandboxInstitutionCreate', {
        name,
        products: ['auth'],
        country_codes: ['US'],
      })
    }
    expect(await search('harbor', {}, other)).toHaveLength(10)
  })

  test("does not find another client's institutions", async () => {
    expect(await search('lantern', {}, await service.tenant())).toEqual([])
  })

  test('rejects an id that is taken', async () => {
    const { status, body } = await tenant.post('/sandbox/institution/create', {
      institution_id: 'ins_1',
      name: 'Another',
      products: ['auth'],
      country_codes: ['US'],
    })
    expect([status, body['error_code']]).toEqual([400, 'INVALID_FIELD'])
  })

  test('puts the exact name first, before longer ones', async () => {
    const other = await service.tenant()
    for (const name of ['Calder Bank and Trust', 'Old Calder Bank', 'Calder Bank']) {
      await other.control('sandboxInstitutionCreate', {
        institution_id: name.replaceAll(' ', '-'),
        name,
        products: ['identity'],
        country_codes: ['US'],
      })
    }
    const expected = ['Calder-Bank', 'Calder-Bank-and-Trust', 'Old-Calder-Bank']
    expect(await search('calder bank', {}, other)).toEqual(expected)
  })
})

describe('sandboxInstitutionCreate', () => {
  const rejection = async (more: object) => {
    const { body } = await tenant.post('/sandbox/institution/create', {
      name: 'Rook Harbor Bank',
      products: ['auth'],
      country_codes: ['US'],
      ...more,
    })
    return [body['error_code'], body['error_message']]
  }

  test('is seen by every search after it, and gone after a reset', async () => {
    const own = await service.tenant()
    const create = (institution_id: string) =>
      own.control('sandboxInstitutionCreate', {
        institution_id,
        name: 'Rook Harbor Bank',
        products: ['auth'],
        country_codes: ['US'],
      })
    // Two services that share a database answer alternately, so both are asked at each step.
    const found = async () => [await search('rook', {}, own), await search('rook', {}, own)]
    expect(await found()).toEqual([[], []])
    await create('ins_51')
    expect(await found()).toEqual([['ins_51'], ['ins_51']])
    await create('ins_52')
    expect(await found()).toEqual(Array(2).fill(['ins_51', 'ins_52']))
    await own.control('sandboxReset', {})
    expect(await found()).toEqual([[], []])
    await create('ins_53')
    expect(await found()).toEqual([['ins_53'], ['ins_53']])
  })

  test('rejects `auth` in the list of one that does not support Instant Auth', async () => {
    const field = expect.stringContaining('`products`')
    expect(await rejection({ auth_methods: { instant_match: true } })).toEqual([
      'INVALID_FIELD',
      field,
    ])
  })

  test('rejects shares of requests that are not parts of one whole', async () => {
    const breakdown = { success: 0.9, error_plaid: 0.1, error_institution: 0.1 }
    const status = { item_logins: { status: 'DEGRADED', breakdown } }
    const field = expect.stringContaining('`status.item_logins.breakdown`')
    expect(await rejection({ status })).toEqual(['INVALID_FIELD', field])
  })

  test('takes shares that sum to 1 but for what floating point loses', async () => {
    const breakdown = { success: 0.7, error_plaid: 0.1, error_institution: 0.2 }
    const status = { item_logins: { status: 'DEGRADED', breakdown } }
    expect(await rejection({ status })).toEqual([undefined, undefined])
  })
})
