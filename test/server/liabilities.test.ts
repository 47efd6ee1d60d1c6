import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Liabilities } from '#contract/types.ts'
import {
  accountOf,
  accountsOf,
  codeOf,
  createBank,
  link,
  linkCustom,
} from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function read(
  tenant: Tenant,
  access_token: string,
  account_ids: string[] = [],
): Promise<Liabilities> {
  const { data, error } = await tenant.api.liabilitiesGet({
    access_token,
    options: { account_ids },
  })
  if (error) throw new Error(JSON.stringify(error))
  return data.liabilities
}

describe('liabilitiesGet', () => {
  test('shows all kinds with their fields, each tied to its account', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { credit, mortgage, student } = await read(tenant, access_token)
    const idOf = async (subtype: string) =>
      (await accountOf(tenant, access_token, subtype)).account_id
    expect(credit).toMatchObject([{ account_id: await idOf('credit card'), is_overdue: false }])
    expect(mortgage).toMatchObject([
      { account_id: await idOf('mortgage'), account_number: expect.stringMatching(/\d/) },
    ])
    expect(student).toMatchObject([
      {
        account_id: await idOf('student'),
        account_number: expect.stringMatching(/\d/),
        payment_reference_number: expect.stringMatching(/\d/),
      },
    ])
  })

  test('shows the accounts that were asked for, whether they are debts or not', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const [checking, , card] = await accountsOf(tenant, access_token)
    const account_ids = [checking?.account_id, card?.account_id] as string[]
    const options = { account_ids }
    const { data } = await tenant.api.liabilitiesGet({ access_token, options })
    expect(data?.accounts.map(({ account_id }) => account_id)).toEqual(account_ids)
    expect(data?.liabilities).toMatchObject({
      credit: [{ account_id: card?.account_id }],
      mortgage: null,
      student: null,
    })
  })

  test('covers a paypal credit account, and no other loans', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(tenant, [
      { type: 'credit', subtype: 'paypal' },
      { type: 'loan', subtype: 'auto' },
      { type: 'credit', subtype: null },
    ])
    const found = await read(tenant, access_token)
    expect([found.credit?.length, found.mortgage, found.student]).toEqual([1, null, null])
  })

  test('rejects an Item, and a filter, without such a debt', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const options = { account_ids: [account_id] }
    const filtered = await tenant.post('/liabilities/get', { access_token, options })
    expect(codeOf(filtered)).toBe('NO_LIABILITY_ACCOUNTS')
    const plain = await linkCustom(tenant, [{ type: 'loan', subtype: 'auto' }])
    const { access_token: other } = plain
    const answer = await tenant.post('/liabilities/get', { access_token: other })
    expect(codeOf(answer)).toBe('NO_LIABILITY_ACCOUNTS')
    const { data } = await tenant.api.accountsGet({ access_token: other })
    expect(data?.item.products).toEqual(['auth'])
  })

  test('rejects an id that is not of the Item, and options that are null', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const options = { account_ids: ['unknown'] }
    const unknown = await tenant.post('/liabilities/get', { access_token, options })
    expect(codeOf(unknown)).toBe('INVALID_ACCOUNT_ID')
    const none = await tenant.post('/liabilities/get', { access_token, options: null })
    expect(codeOf(none)).toBe('INVALID_FIELD')
  })

  test('rejects an institution that does not support it', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['auth'] })
    const { access_token } = await link(tenant, { institution_id })
    const answer = await tenant.post('/liabilities/get', { access_token })
    expect(codeOf(answer)).toBe('PRODUCTS_NOT_SUPPORTED')
  })

  test('answers what is wrong with the Item where that concerns liabilities', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['liabilities', 'identity'] })
    await tenant.control('sandboxItemSetHealth', {
      access_token,
      error_code: 'ACCESS_NOT_GRANTED',
      products: ['liabilities'],
    })
    const rejected = await tenant.post('/liabilities/get', { access_token })
    expect(codeOf(rejected)).toBe('ACCESS_NOT_GRANTED')
    expect(codeOf(await tenant.post('/identity/get', { access_token }))).toBe(200)
  })

  test('shows what an update of the account sets, null for what is absent', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'student')
    const [before] = (await read(tenant, access_token)).student ?? []
    await tenant.control('sandboxAccountUpdate', {
      access_token,
      account_id,
      liability: {
        is_overdue: true,
        account_number: '555000111',
        payment_reference_number: null,
        loan_status: { type: 'deferment' },
        servicer_address: { street: 'PO Box 1' },
        pslf_status: { payments_made: 12 },
      },
    })
    const [after] = (await read(tenant, access_token)).student ?? []
    expect(after).toEqual({
      ...before,
      is_overdue: true,
      account_number: '555000111',
      payment_reference_number: null,
      loan_status: { type: 'deferment', end_date: null },
      servicer_address: {
        street: 'PO Box 1',
        city: null,
        region: null,
        postal_code: null,
        country: null,
      },
      pslf_status: {
        estimated_eligibility_date: null,
        payments_made: 12,
        payments_remaining: null,
      },
    })
  })

  describe('on a card on which nothing is owed', () => {
    const none = { is_overdue: false, minimum_payment_amount: 0, next_payment_due_date: null }
    const cardOf = async (tenant: Tenant, access_token: string) =>
      (await read(tenant, access_token)).credit?.at(-1)

    test('expects a payment only while something is owed', async () => {
      const tenant = await service.tenant()
      const { access_token } = await link(tenant)
      const { account_id } = await accountOf(tenant, access_token, 'credit card')
      const owing = await cardOf(tenant, access_token)
      expect(owing?.next_payment_due_date).toEqual(expect.any(String))
      expect(owing?.minimum_payment_amount).toBeGreaterThan(0)
      const owe = (current: number) =>
        tenant.control('sandboxAccountUpdate', { access_token, account_id, balances: { current } })
      await owe(0)
      expect(await cardOf(tenant, access_token)).toEqual({ ...owing, ...none })
      await owe(-12.5)
      expect(await cardOf(tenant, access_token)).toEqual({ ...owing, ...none })
      await owe(12.5)
      expect(await cardOf(tenant, access_token)).toEqual(owing)
    })

    test('follows what payments and purchases make of it as the clock moves', async () => {
      const tenant = await service.tenant()
      const { access_token } = await link(tenant, { initial_products: ['transactions'] })
      const { account_id } = await accountOf(tenant, access_token, 'credit card')
      const balances = { current: 0 }
      await tenant.control('sandboxAccountUpdate', { access_token, account_id, balances })
      for (const _week of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const { balances } = await accountOf(tenant, access_token, 'credit card')
        const card = await cardOf(tenant, access_token)
        expect(card?.next_payment_due_date !== null).toBe(Number(balances.current) > 0)
        expect(Number(card?.minimum_payment_amount) > 0).toBe(Number(balances.current) > 0)
        await tenant.control('sandboxClockAdvance', { seconds: 7 * 86_400 })
      }
    })

    test.each(['credit card', 'paypal'] as const)(
      'of the subtype %s expects none',
      async (subtype) => {
        const tenant = await service.tenant()
        const { access_token } = await linkCustom(tenant, [
          { type: 'credit', subtype, starting_balance: 0, transactions: [] },
        ])
        expect(await cardOf(tenant, access_token)).toMatchObject(none)
        const created = { access_token, type: 'credit', subtype, name: 'A Card' } as const
        const { account_id } = await tenant.control('sandboxAccountCreate', created)
        expect(await cardOf(tenant, access_token)).toMatchObject({ account_id, ...none })
      },
    )

    test('shows what was set, and no more', async () => {
      const tenant = await service.tenant()
      const { access_token } = await link(tenant)
      const { account_id } = await accountOf(tenant, access_token, 'credit card')
      const update = (change: object) =>
        tenant.control('sandboxAccountUpdate', { access_token, account_id, ...change })
      const next_payment_due_date = '2026-03-12'
      await update({ liability: { next_payment_due_date } })
      await update({ liability: { is_overdue: null }, balances: { current: 0 } })
      const card = await cardOf(tenant, access_token)
      const expected = { is_overdue: null, minimum_payment_amount: 0, next_payment_due_date }
      expect(card).toMatchObject(expected)
      expect(Object.keys(card ?? {})).not.toContain('given')
    })
  })

  test('stores no number of a debt in the clear', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { mortgage, student } = await read(tenant, access_token)
    const numbers = [mortgage?.[0]?.account_number, student?.[0]?.payment_reference_number]
    const rows = await service.service.database.read((db) =>
      db.all('select * from accounts where client_id = $1', [tenant.clientId]),
    )
    const stored = JSON.stringify(rows)
    expect(rows).toHaveLength(6)
    expect(numbers.filter((number) => stored.includes(String(number)))).toEqual([])
  })
})
