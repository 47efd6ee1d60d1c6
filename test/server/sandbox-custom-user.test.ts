import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountsOf, asCustom, codeOf, createBank, linkCustom } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const checking = { type: 'depository', subtype: 'checking' }
const card = { type: 'credit', subtype: 'credit card' }

/** What linking an Item that is described so answers. */
const create = async (tenant: Tenant, user: unknown) =>
  tenant.post('/sandbox/public_token/create', {
    institution_id: await createBank(tenant),
    initial_products: ['transactions'],
    options: asCustom(user),
  })

async function syncAll(tenant: Tenant, access_token: string) {
  const { data } = await tenant.api.transactionsSync({ access_token, count: 500 })
  return data?.added ?? []
}

describe('a custom user', () => {
  test('has exactly the accounts and transactions that were described', async () => {
    const tenant = await service.tenant()
    const { now } = await tenant.control('sandboxClockGet', {})
    const day = (days: number) =>
      new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
    const transactions = [
      { date_transacted: day(-3), date_posted: day(-2), amount: 79.25, description: 'OAKMARKET' },
      { date_transacted: day(2), date_posted: day(3), amount: -10, description: 'REFUND' },
    ]
    const { access_token } = await linkCustom(
      tenant,
      [
        {
          ...checking,
          starting_balance: 320.5,
          currency: 'EUR',
          meta: { name: 'Everyday', official_name: 'Everyday Plus', mask: '4821', limit: 500 },
          transactions,
          identity: { names: ['Maren Talvik'] },
        },
      ],
      { initial_products: ['transactions'] },
    )
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    expect(await accountsOf(tenant, access_token)).toMatchObject([
      {
        name: 'Everyday',
        official_name: 'Everyday Plus',
        mask: '4821',
        balances: { current: 241.25, available: 241.25, limit: 500, iso_currency_code: 'EUR' },
      },
    ])
    const shown = await syncAll(tenant, access_token)
    expect(shown).toMatchObject([
      {
        name: 'OAKMARKET',
        amount: 79.25,
        date: day(-2),
        authorized_date: day(-3),
        iso_currency_code: 'EUR',
        pending: false,
      },
    ])
    // What is dated ahead shows itself when the clock gets there.
    await tenant.control('sandboxClockAdvance', { seconds: 4 * 86_400 })
    expect((await syncAll(tenant, access_token)).map(({ name }) => name).sort()).toEqual([
      'OAKMARKET',
      'REFUND',
    ])
  })

  test('owes more on a card after what was spent', async () => {
    const tenant = await service.tenant()
    const spent = {
      date_transacted: '2026-01-02',
      date_posted: '2026-01-03',
      amount: 50,
      description: 'NORTHFOLD',
    }
    const { access_token } = await linkCustom(tenant, [
      { ...card, starting_balance: 100, meta: { limit: 1000 }, transactions: [spent] },
    ])
    const [account] = await accountsOf(tenant, access_token)
    expect(account?.balances).toMatchObject({ current: 150, available: 850, limit: 1000 })
  })

  test('gets generated what was left out, and nothing for empty lists', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(
      tenant,
      [checking, checking, { ...card, transactions: [] }],
      { initial_products: ['transactions'] },
    )
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    const [first, second, third] = await accountsOf(tenant, access_token)
    const { data } = await tenant.api.transactionsGet({
      access_token,
      start_date: '2020-01-01',
      end_date: '2100-01-01',
      options: { account_ids: [first?.account_id as string] },
    })
    const of = async (account_id: string | undefined) =>
      (await tenant.api.transactionsSync({ access_token, account_id: account_id as string })).data
        ?.added.length
    expect(data?.total_transactions).toBeGreaterThan(300)
    expect(await of(second?.account_id)).toBe(100)
    expect(await of(third?.account_id)).toBe(0)
    const liabilities = await tenant.api.liabilitiesGet({ access_token })
    expect(liabilities.data?.liabilities.credit).toHaveLength(1)
  })

  test('has the terms that were described, the others generated', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(tenant, [
      {
        ...card,
        liability: {
          last_payment_amount: 150,
          is_overdue: true,
          last_payment_date: null,
          loan_name: 'no field of a card',
          unknown: 1,
        },
      },
    ])
    const { data } = await tenant.api.liabilitiesGet({ access_token })
    const [entry] = data?.liabilities.credit ?? []
    expect(entry).toMatchObject({ last_payment_amount: 150, is_overdue: true })
    expect(entry?.last_payment_date).not.toBeNull()
    expect(entry?.aprs.length).toBeGreaterThan(0)
    expect(entry).not.toHaveProperty('loan_name')
  })

  test.each([
    ['no JSON', '{"override_accounts":', 'must be a JSON text'],
    ['another kind of JSON', '[]', '`options.override_password`'],
    ['no accounts', {}, '`override_accounts`'],
    ['an empty list', { override_accounts: [] }, '`override_accounts`'],
    [
      'a subtype of another type',
      { override_accounts: [checking, { type: 'loan', subtype: 'checking' }] },
      '`override_accounts[1]',
    ],
    [
      'a day that does not exist',
      {
        override_accounts: [
          {
            ...checking,
            transactions: [
              {
                date_transacted: '2026-02-30',
                date_posted: '2026-03-01',
                amount: 1,
                description: 'X',
              },
            ],
          },
        ],
      },
      '`override_accounts[0].transactions[0].date_transacted`',
    ],
    [
      'terms of the wrong kind of value',
      { override_accounts: [{ ...card, liability: { is_overdue: 'no' } }] },
      '`override_accounts[0].liability.is_overdue`',
    ],
    [
      'terms on an account that is no debt',
      { override_accounts: [{ ...checking, liability: { is_overdue: true } }] },
      '`override_accounts[0].liability`',
    ],
  ])('is rejected with %s, by its path', async (_, user, place) => {
    const tenant = await service.tenant()
    const { status, body } = await create(tenant, user)
    expect([status, body['error_code']]).toEqual([400, 'INVALID_FIELD'])
    expect(body['error_message']).toContain('`options.override_password`')
    expect(body['error_message']).toContain(place)
  })

  test('may have null and unknown fields at every level', async () => {
    const tenant = await service.tenant()
    const answer = await create(tenant, {
      more: 1,
      override_accounts: [
        {
          ...checking,
          more: { deep: true },
          starting_balance: null,
          currency: null,
          meta: { name: null, official_name: null, mask: null, limit: null, more: 1 },
          transactions: null,
          identity: { names: null, emails: null, phone_numbers: null, addresses: null, more: 1 },
          liability: null,
        },
      ],
    })
    expect(codeOf(answer)).toBe(200)
  })

  test('needs its text, which every other user name leaves unread', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant)
    const post = (options: object) =>
      tenant.post('/sandbox/public_token/create', {
        institution_id,
        initial_products: ['auth'],
        options,
      })
    expect(codeOf(await post({ override_username: 'user_custom' }))).toBe('MISSING_FIELDS')
    const other = { override_username: 'user_good', override_password: 'pass_good' }
    expect(codeOf(await post(other))).toBe(200)
  })
})
