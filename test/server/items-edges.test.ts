import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  accountsOf,
  asCustom,
  codeOf,
  createBank,
  link,
  linkCustom,
  transactionsOf,
} from '../support/items-fixtures.ts'
import { startService, type TestService } from '../support/service.ts'
import { start, today } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

const third = 0.1 + 0.2

/** Every number of an answer under a name that does not say that it is a rate or a place. */
function amountsIn(value: unknown, name = ''): number[] {
  if (typeof value === 'number') return /percentage|lat|lon/.test(name) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    amountsIn(member, Array.isArray(value) ? name : key),
  )
}

const tooFine = (value: unknown) =>
  amountsIn(value).filter((amount) => !/^-?\d+(\.\d{1,2})?$/.test(String(amount)))

const checking = { type: 'depository', subtype: 'checking' }

const spent = (amount: number, more: object = {}) => ({
  date_transacted: today,
  date_posted: today,
  amount,
  description: 'OAKMARKET',
  ...more,
})

describe('money', () => {
  test('has at most two decimals, however it was given', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(
      tenant,
      [
        {
          ...checking,
          starting_balance: third,
          transactions: [third, 1.005, -0.004, 1e9].map((amount) => spent(amount)),
        },
        {
          type: 'credit',
          subtype: 'credit card',
          meta: { limit: 33.3333 },
          transactions: [spent(0.1), spent(0.2)],
          liability: {
            last_payment_amount: third,
            aprs: [{ apr_type: 'cash_apr', apr_percentage: 21.625, balance_subject_to_apr: third }],
          },
        },
      ],
      { initial_products: ['transactions', 'liabilities'] },
    )
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const balances = { available: third, current: 1.005, limit: 33.3333 }
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, balances })
    const { account_id: card } = await accountOf(tenant, access_token, 'credit card')
    const liability = { minimum_payment_amount: third, last_statement_balance: 19.999 }
    await tenant.control('sandboxAccountUpdate', { access_token, account_id: card, liability })
    const transactions = await transactionsOf(tenant, access_token)
    const { transaction_id = '' } = transactions[0] ?? {}
    await tenant.control('sandboxTransactionsUpdate', {
      access_token,
      transaction_id,
      amount: third,
    })
    const { data } = await tenant.api.liabilitiesGet({ access_token })
    expect(data?.liabilities.credit?.[0]).toMatchObject({
      last_payment_amount: 0.3,
      minimum_payment_amount: 0.3,
      last_statement_balance: 20,
      aprs: [{ apr_percentage: 21.625, balance_subject_to_apr: 0.3 }],
    })
    const changed = await transactionsOf(tenant, access_token)
    expect([transactions.length, changed.length]).toEqual([6, 6])
    expect(tooFine([data, transactions, changed, await accountsOf(tenant, access_token)])).toEqual(
      [],
    )
  })

  test('adds up exactly over the largest amounts that fit into a request', async () => {
    const tenant = await service.tenant()
    const transactions = Array.from({ length: 2500 }, () =>
      spent(-1e9 + 0.01, { description: 'x' }),
    )
    const account = { ...checking, starting_balance: 1e12, transactions }
    const { access_token } = await linkCustom(tenant, [account], {
      initial_products: ['transactions'],
    })
    const { balances } = await accountOf(tenant, access_token, 'checking')
    expect(balances.current).toBe(3_499_999_999_975)
    expect(await transactionsOf(tenant, access_token)).toHaveLength(2500)
  })
})

describe('a custom user', () => {
  test('keeps unusual text as it is', async () => {
    const tenant = await service.tenant()
    const text = '☕ Café 👩‍👩‍👧‍👦 \u202Eadarba\u202C ‏عربي \\ " \' %_ -- ; \u2028 \uFFFD'
    const { access_token } = await linkCustom(
      tenant,
      [{ ...checking, meta: { name: text }, transactions: [spent(5, { description: text })] }],
      { initial_products: ['transactions'] },
    )
    expect((await accountOf(tenant, access_token, 'checking')).name).toBe(text)
    expect(await transactionsOf(tenant, access_token)).toMatchObject([{ name: text }])
  })

  test.each([
    ['U+0000', '\\u0000'],
    ['half of a surrogate pair', '\\ud83d'],
  ])('is rejected %s, which hides in an escape of its text', async (_, escaped) => {
    const tenant = await service.tenant()
    const options = asCustom(
      `{"override_accounts":[{"type":"depository","subtype":"checking","meta":{"name":"a${escaped}b"}}]}`,
    )
    const body = {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options,
    }
    expect(codeOf(await tenant.post('/sandbox/public_token/create', body))).toBe('INVALID_FIELD')
  })

  test('is rejected a text with a key twice, which it says', async () => {
    const tenant = await service.tenant()
    const body = {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options: asCustom('{"override_accounts":[],"override_\\u0061ccounts":[]}'),
    }
    const answer = await tenant.post('/sandbox/public_token/create', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
    expect(answer.body['error_message']).toContain('the field `override_accounts` twice')
  })

  test('is rejected a text that is nested without end', async () => {
    const tenant = await service.tenant()
    const options = asCustom('['.repeat(100_000) + ']'.repeat(100_000))
    const body = {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options,
    }
    expect(codeOf(await tenant.post('/sandbox/public_token/create', body))).toBe('INVALID_FIELD')
  })
})

describe('dates at the ends', () => {
  test.each([
    ['0000-01-01', 'INVALID_FIELD'],
    ['0002-06-01', 'INVALID_FIELD'],
    ['1969-12-31', 'INVALID_FIELD'],
    ['1972-01-01', 200],
    ['9999-12-31', 200],
  ])('answer a history that ends on %s with %s', async (end_date, expected) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/public_token/create', {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options: { transactions: { end_date } },
    })
    expect(codeOf(answer)).toBe(expected)
  })

  test('have a leap day, which is a day like any other', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(
      tenant,
      [{ ...checking, transactions: [spent(29, { date_posted: '2028-02-29' })] }],
      { initial_products: ['transactions'] },
    )
    await tenant.control('sandboxClockAdvance', { to: '2028-02-29T12:00:00Z' })
    const day = { start_date: '2028-02-29', end_date: '2028-02-29' }
    await transactionsOf(tenant, access_token)
    const { data } = await tenant.api.transactionsGet({ access_token, ...day })
    expect(data?.transactions).toMatchObject([{ amount: 29 }])
    const never = { start_date: '2027-02-29', end_date: '2028-02-29' }
    const rejected = await tenant.post('/transactions/get', { access_token, ...never })
    expect(codeOf(rejected)).toBe('INVALID_FIELD')
  })

  test('let the clock run two years over an Item that goes on', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['transactions', 'liabilities', 'identity'],
    })
    await tenant.control('sandboxClockAdvance', { to: '2028-03-13T12:00:00Z' })
    const listed = await transactionsOf(tenant, access_token)
    expect(listed.at(-1)?.date.slice(0, 7)).toBe('2028-03')
    expect(tooFine([listed, await accountsOf(tenant, access_token)])).toEqual([])
    for (const path of ['/liabilities/get', '/identity/get', '/transactions/refresh']) {
      expect(codeOf(await tenant.post(path, { access_token }))).toBe(200)
    }
  })
})

test('the institution that dates its balances dates them again when they change', async () => {
  const tenant = await service.tenant()
  const institution_id = await createBank(tenant, { institution_id: 'ins_128026' })
  const { access_token } = await link(tenant, {
    institution_id,
    initial_products: ['transactions'],
  })
  const read = async () =>
    (await accountOf(tenant, access_token, 'checking')).balances.last_updated_datetime
  expect(await read()).toBe(start)
  await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
  expect(await read()).toMatch(/^2026-04-\d\dT06:00:00Z$/)
})

test('an account that is not of the Item is named by the field that named it', async () => {
  const tenant = await service.tenant()
  const { access_token } = await link(tenant)
  const account_id = 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'
  for (const [path, more] of [
    ['/transactions/sync', { account_id }],
    ['/sandbox/account/update', { account_id, closed: true }],
    ['/sandbox/identity/update', { account_id, owners: [{ names: ['Maren Talvik'] }] }],
  ] as const) {
    const { body } = await tenant.post(path, { access_token, ...more })
    expect([body['error_code'], body['error_message']]).toEqual([
      'INVALID_ACCOUNT_ID',
      '`account_id` does not belong to the Item',
    ])
  }
})
