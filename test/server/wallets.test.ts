import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WalletListRequest, WalletListResponse } from '#contract/types.ts'
import type { Closed } from '../../src/server/kernel/closed.ts'
import { insertWallet } from '../../src/server/wallets/store.ts'
import {
  restOfIban,
  toWalletNumbers,
  weighAccount,
} from '../../src/server/wallets/wallet-numbers.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { errorOf, exampleOf, inContext, invalidField } from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function createWallet(tenant: Tenant, iso_currency_code: 'GBP' | 'EUR' = 'GBP') {
  const { data, error } = await tenant.api.walletCreate({ iso_currency_code })
  expect(error).toBeUndefined()
  const { request_id: _, ...wallet } = data!
  return wallet
}

async function createWallets(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push((await createWallet(tenant)).wallet_id)
  return ids
}

async function readWallet(tenant: Tenant, wallet_id: string) {
  const { data } = await tenant.api.walletGet({ wallet_id })
  const { request_id: _, ...wallet } = data!
  return wallet
}

async function list(tenant: Tenant, body: WalletListRequest = {}) {
  const { data, error } = await tenant.api.walletList(body)
  expect(error).toBeUndefined()
  return data!
}

describe('walletCreate', () => {
  test('opens an empty wallet in pounds with a UK account', async () => {
    const tenant = await service.tenant()
    const { data } = await tenant.api.walletCreate({ iso_currency_code: 'GBP' })
    expect(data).toEqual({
      wallet_id: expect.stringMatching(/^wallet-id-sandbox-[0-9a-f-]{36}$/),
      balance: { iso_currency_code: 'GBP', current: 0, available: 0 },
      numbers: {
        bacs: {
          account: expect.stringMatching(/^\d{8}$/),
          sort_code: expect.stringMatching(/^\d{6}$/),
        },
        international: null,
      },
      recipient_id: expect.stringMatching(/^recipient-id-sandbox-[0-9a-f-]{36}$/),
      status: 'ACTIVE',
      request_id: expect.any(String),
    })
  })

  test('opens a wallet in euros with an IBAN', async () => {
    const tenant = await service.tenant()
    const { balance, numbers } = await createWallet(tenant, 'EUR')
    expect(balance).toEqual({ iso_currency_code: 'EUR', current: 0, available: 0 })
    expect(numbers).toEqual({
      bacs: null,
      international: { iban: expect.stringMatching(/^IE\d\dTWLB99\d{12}$/), bic: 'TWLBIE2D' },
    })
  })

  test.each(['USD', 'gbp', 'GB', ''])('rejects the currency %j', async (iso_currency_code) => {
    const tenant = await service.tenant()
    const rejected = await errorOf(tenant, '/wallet/create', { iso_currency_code })
    expect(rejected).toEqual(invalidField('iso_currency_code'))
  })

  test('keeps no account number in clear', async () => {
    const tenant = await service.tenant()
    const pounds = (await createWallet(tenant)).numbers.bacs!
    const euros = (await createWallet(tenant, 'EUR')).numbers.international!
    const rows = await service.service.database.read((db) =>
      db.all('select * from wallets where client_id = $1', [tenant.clientId]),
    )
    expect(rows).toHaveLength(2)
    const stored = JSON.stringify(rows)
    for (const number of [pounds.account, pounds.sort_code, euros.iban]) {
      expect(stored).not.toContain(`"${number}"`)
    }
  })
})

describe('the numbers of wallets', () => {
  const seeds = Array.from({ length: 300 }, (_, index) => `seed ${index}`)

  test('have check digits that fit', () => {
    for (const seed of seeds) {
      const account = toWalletNumbers('GBP', seed).bacs?.account ?? ''
      expect(weighAccount(account) % 11, account).toBe(0)
      expect(account).toHaveLength(8)
      const iban = toWalletNumbers('EUR', seed).international?.iban ?? ''
      expect(restOfIban(iban), iban).toBe(1)
      expect(iban).toHaveLength(22)
    }
  })

  test('differ from wallet to wallet', () => {
    const numbers = seeds.map((seed) => JSON.stringify(toWalletNumbers('GBP', seed)))
    expect(new Set(numbers).size).toBe(seeds.length)
  })

  test('are checked as published examples are', () => {
    expect(restOfIban('GB33BUKB20201555555555')).toBe(1)
    expect(restOfIban('IE29AIBK93115212345678')).toBe(1)
    expect(restOfIban('IE28AIBK93115212345678')).not.toBe(1)
    expect(weighAccount('88837491') % 11).toBe(0)
    expect(weighAccount('88837492') % 11).not.toBe(0)
  })
})

describe('walletGet', () => {
  test('returns the wallet as it was made', async () => {
    const tenant = await service.tenant()
    const wallet = await createWallet(tenant, 'EUR')
    expect(await readWallet(tenant, wallet.wallet_id)).toEqual(wallet)
  })

  test('rejects an unknown wallet and one of another client alike', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { wallet_id } = await createWallet(other)
    const foreign = await errorOf(tenant, '/wallet/get', { wallet_id })
    expect(foreign).toEqual(invalidField('wallet_id'))
    expect(foreign).toEqual(await errorOf(tenant, '/wallet/get', { wallet_id: 'unknown' }))
  })
})

describe('walletList', () => {
  const idsOf = (page: { wallets: { wallet_id: string }[] }) =>
    page.wallets.map(({ wallet_id }) => wallet_id)

  test('gives the newest ten first and goes on by cursor to the end', async () => {
    const tenant = await service.tenant()
    const newest = (await createWallets(tenant, 23)).reverse()
    const first = await list(tenant)
    const second = await list(tenant, { cursor: first.next_cursor! })
    const third = await list(tenant, { cursor: second.next_cursor! })
    expect([first, second, third].map(idsOf)).toEqual([
      newest.slice(0, 10),
      newest.slice(10, 20),
      newest.slice(20),
    ])
    expect(third).not.toHaveProperty('next_cursor')
  })

  test('gives no cursor with a last page that is full', async () => {
    const tenant = await service.tenant()
    const newest = (await createWallets(tenant, 4)).reverse()
    const first = await list(tenant, { count: 2 })
    const second = await list(tenant, { count: 2, cursor: first.next_cursor! })
    expect(idsOf(second)).toEqual(newest.slice(2))
    expect(second).not.toHaveProperty('next_cursor')
  })

  test('neither repeats nor skips a wallet when others are made meanwhile', async () => {
    const tenant = await service.tenant()
    const newest = (await createWallets(tenant, 4)).reverse()
    const first = await list(tenant, { count: 2 })
    await createWallets(tenant, 2)
    expect(idsOf(await list(tenant, { cursor: first.next_cursor! }))).toEqual(newest.slice(2))
  })

  test('lists one currency on request', async () => {
    const tenant = await service.tenant()
    const euros = [await createWallet(tenant, 'EUR')]
    await createWallets(tenant, 2)
    euros.unshift(await createWallet(tenant, 'EUR'))
    const first = await list(tenant, { iso_currency_code: 'EUR', count: 1 })
    const cursor = first.next_cursor!
    const second = await list(tenant, { iso_currency_code: 'EUR', count: 1, cursor })
    expect([...first.wallets, ...second.wallets]).toEqual(euros)
    expect(second).not.toHaveProperty('next_cursor')
  })

  test('keeps closed wallets', async () => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    await tenant.control('sandboxWalletSimulate', { wallet_id, status: 'CLOSED' })
    expect((await list(tenant)).wallets).toMatchObject([{ wallet_id, status: 'CLOSED' }])
    expect((await readWallet(tenant, wallet_id)).status).toBe('CLOSED')
  })

  test('shows the wallets of the seed data in full, as in the contract', async () => {
    const tenant = await service.tenant()
    const { wallets } = exampleOf<Closed<WalletListResponse>>('walletListResponse')
    await inContext(service, tenant, async (ctx) => {
      for (const wallet of wallets.toReversed()) await insertWallet(ctx, wallet)
    })
    expect((await list(tenant)).wallets).toEqual(wallets)
  })

  test('is empty for a client without wallets', async () => {
    const { request_id: _, ...page } = await list(await service.tenant())
    expect(page).toEqual({ wallets: [] })
  })

  test('rejects a cursor that it did not give, or gave another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await createWallets(other, 2)
    const { next_cursor } = await list(other, { count: 1 })
    const cursors = [next_cursor, 'bm90aGluZw==', 'not base64!', '', 'A'.repeat(1028)]
    for (const cursor of cursors) {
      expect(await errorOf(tenant, '/wallet/list', { cursor })).toEqual(invalidField('cursor'))
    }
  })

  test.each([0, 21])('rejects a count of %i', async (count) => {
    const tenant = await service.tenant()
    expect(await errorOf(tenant, '/wallet/list', { count })).toEqual(invalidField('count'))
  })
})

describe('sandboxWalletSimulate', () => {
  test('sets the balances and the status that are given', async () => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    const balance = { current: 3120.5, available: 2980.25 }
    await tenant.control('sandboxWalletSimulate', { wallet_id, balance })
    const body = { wallet_id, status: 'UNKNOWN' as const, balance: { available: 0.01 } }
    const answer = await tenant.control('sandboxWalletSimulate', body)
    expect(answer).toMatchObject({
      status: 'UNKNOWN',
      balance: { iso_currency_code: 'GBP', current: 3120.5, available: 0.01 },
    })
    expect(answer).toMatchObject(await readWallet(tenant, wallet_id))
  })

  test('rejects an available balance above the current one, and changes nothing', async () => {
    const tenant = await service.tenant()
    const wallet = await createWallet(tenant)
    const { wallet_id } = wallet
    const body = { wallet_id, status: 'CLOSED', balance: { available: 0.01 } }
    const rejected = await errorOf(tenant, '/sandbox/wallet/simulate', body)
    expect(rejected).toEqual(invalidField('balance.available'))
    expect(await readWallet(tenant, wallet_id)).toEqual(wallet)
  })

  test('rejects a third decimal and a wallet of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { wallet_id } = await createWallet(tenant)
    const body = { wallet_id, balance: { current: 1.005 } }
    const path = '/sandbox/wallet/simulate'
    expect(await errorOf(tenant, path, body)).toEqual(invalidField('balance.current'))
    expect(await errorOf(other, path, { wallet_id })).toEqual(invalidField('wallet_id'))
  })
})

describe('sandboxWalletTransactionCreate', () => {
  const path = '/sandbox/wallet/transaction/create'

  test('changes both balances, to the penny', async () => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    const balance = { current: 100.1, available: 50.1 }
    await tenant.control('sandboxWalletSimulate', { wallet_id, balance })
    await tenant.control('sandboxWalletTransactionCreate', { wallet_id, amount: 0.2 })
    const out = { wallet_id, amount: -50.3 }
    const answer = await tenant.control('sandboxWalletTransactionCreate', out)
    expect(answer.balance).toEqual({ iso_currency_code: 'GBP', current: 50, available: 0 })
  })

  test('rejects more than is available', async () => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    const balance = { current: 100, available: 50 }
    await tenant.control('sandboxWalletSimulate', { wallet_id, balance })
    const rejected = await errorOf(tenant, path, { wallet_id, amount: -50.01 })
    expect(rejected).toEqual(invalidField('amount'))
    expect((await readWallet(tenant, wallet_id)).balance).toMatchObject(balance)
  })

  test.each(['CLOSED', 'UNKNOWN'] as const)('rejects a wallet that is %s', async (status) => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    await tenant.control('sandboxWalletSimulate', { wallet_id, status })
    const rejected = await errorOf(tenant, path, { wallet_id, amount: 1 })
    expect(rejected).toEqual(invalidField('wallet_id'))
  })

  test.each([0, 0.001, 12.345])('rejects an amount of %d', async (amount) => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    expect(await errorOf(tenant, path, { wallet_id, amount })).toEqual(invalidField('amount'))
  })

  test('rejects a wallet of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { wallet_id } = await createWallet(tenant)
    const rejected = await errorOf(other, path, { wallet_id, amount: 1 })
    expect(rejected).toEqual(invalidField('wallet_id'))
  })

  test('lets one of two payments at once take what is there', async () => {
    const tenant = await service.tenant()
    const { wallet_id } = await createWallet(tenant)
    await tenant.control('sandboxWalletTransactionCreate', { wallet_id, amount: 100 })
    const pay = () => tenant.post(path, { wallet_id, amount: -60 })
    const answers = await Promise.all([pay(), pay()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await readWallet(tenant, wallet_id)).balance).toMatchObject({
      current: 40,
      available: 40,
    })
  })
})
