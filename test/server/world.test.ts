import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AccountKind } from '../../generated/sandbox/validators/components.js'
import { readBundle } from '../../scripts/contract/contract.ts'
import type { Body, Tenant, TestService } from '../support/service.ts'
import { startWorld } from '../support/service.ts'

type World = TestService & { client: Tenant; partner: Tenant }

const token = (number: number): string =>
  `access-sandbox-00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const ask = async (path: string, body: Body): Promise<Body> =>
  (await world.client.post(path, body)).body

describe('an Item in trouble', () => {
  test.each([
    [11, '/identity/get', 'ITEM_LOGIN_REQUIRED'],
    [12, '/identity/get', 'ITEM_LOCKED'],
    [13, '/identity/get', 'ITEM_NOT_SUPPORTED'],
    [14, '/transactions/sync', 'ITEM_CONCURRENTLY_DELETED'],
    [15, '/identity/get', 'USER_SETUP_REQUIRED'],
    [16, '/identity/get', 'PASSWORD_RESET_REQUIRED'],
    [17, '/identity/get', 'ACCESS_NOT_GRANTED'],
    [18, '/identity/get', 'USER_PERMISSION_REVOKED'],
    [19, '/identity/get', 'INSTITUTION_DOWN'],
    [20, '/identity/get', 'INSTITUTION_NOT_RESPONDING'],
    [21, '/identity/get', 'INSTITUTION_NOT_AVAILABLE'],
    [22, '/identity/get', 'INSTITUTION_NO_LONGER_SUPPORTED'],
    [23, '/identity/get', 'UNSUPPORTED_RESPONSE'],
    [27, '/identity/get', 'ACCESS_NOT_GRANTED'],
    [31, '/accounts/get', 'NO_ACCOUNTS'],
    [32, '/liabilities/get', 'NO_LIABILITY_ACCOUNTS'],
    [33, '/identity/get', 'ADDITIONAL_CONSENT_REQUIRED'],
    [34, '/identity/get', 'PRODUCTS_NOT_SUPPORTED'],
    [35, '/transactions/get', 'PRODUCT_NOT_READY'],
    [37, '/transactions/refresh', 'PRODUCT_NOT_ENABLED'],
    [38, '/transactions/refresh', 'PRODUCTS_NOT_SUPPORTED'],
    [39, '/accounts/get', 'ITEM_NOT_FOUND'],
  ])('%i answers at %s what it stands for: %s', async (number, path, code) => {
    const dates =
      path === '/transactions/get' ? { start_date: '2020-01-01', end_date: today() } : {}
    const answer = await ask(path, { access_token: token(number), ...dates })
    expect(answer['error_code']).toBe(code)
  })

  test.each([
    [24, 'OAUTH_INVALID_TOKEN'],
    [25, 'OAUTH_CONSENT_EXPIRED'],
    [26, 'OAUTH_USER_REVOKED'],
  ])('%i tells how the consent ended: %s', async (number, reason) => {
    const answer = await ask('/identity/get', { access_token: token(number) })
    expect(answer['error_code_reason']).toBe(reason)
  })

  test('works again once its health is set', async () => {
    await world.client.control('sandboxItemSetHealth', {
      access_token: token(12),
      error_code: null,
    })
    const answer = await ask('/identity/get', { access_token: token(12) })
    expect(answer['accounts']).toHaveLength(2)
  })
})

const today = (): string => new Date().toISOString().slice(0, 10)

async function allAccounts(): Promise<Body[]> {
  const numbers = [1, ...range(41, 52)]
  const answers = await Promise.all(
    numbers.map((number) => ask('/accounts/get', { access_token: token(number) })),
  )
  return answers.flatMap((answer) => answer['accounts'] as Body[])
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const enumOf = (name: string): string[] => readBundle().components.schemas[name]!.enum as string[]

describe('the Items', () => {
  test('have an account of every kind that the contract admits', async () => {
    const accounts = await allAccounts()
    const found = new Set(accounts.map(({ type, subtype }) => `${type}/${subtype}`))
    const admitted = enumOf('AccountType').flatMap((type) =>
      enumOf('AccountSubtype')
        .filter((subtype) => AccountKind.is({ type, subtype }))
        .map((subtype) => `${type}/${subtype}`),
    )
    expect(admitted.filter((kind) => !found.has(kind))).toEqual([])
    expect(admitted.length).toBeGreaterThan(80)
  })

  test('have accounts without mask, subtype, official name and available balance', async () => {
    const { accounts } = (await ask('/accounts/get', { access_token: token(45) })) as {
      accounts: Body[]
    }
    expect(accounts[0]).toMatchObject({ mask: null, subtype: null, official_name: null })
    expect(accounts[0]!['balances']).toMatchObject({ available: null, limit: null })
    expect(accounts[5]!['balances']).toMatchObject({
      iso_currency_code: null,
      unofficial_currency_code: 'BTC',
    })
  })

  test('have an account for every status of verification', async () => {
    const { accounts } = (await ask('/accounts/get', { access_token: token(48) })) as {
      accounts: Body[]
    }
    const found = accounts.map((account) => account['verification_status'])
    expect(found.sort()).toEqual(enumOf('VerificationStatus').sort())
  })

  test('have owners that are bare, several, and new after a refresh', async () => {
    const owners = async () => {
      const answer = await ask('/identity/get', { access_token: token(46) })
      return (answer['accounts'] as Body[]).map((account) => account['owners'] as Body[])
    }
    const before = await owners()
    expect(before.map((list) => list.length)).toEqual([1, 2, 1])
    expect(before[0]).toEqual([
      { names: ['Bruno Kowal'], phone_numbers: [], emails: [], addresses: [] },
    ])
    await ask('/identity/refresh', { access_token: token(46) })
    expect((await owners())[1]).toHaveLength(1)
  })

  test('have liabilities of which little is known', async () => {
    const answer = await ask('/liabilities/get', { access_token: token(47) })
    const { credit, mortgage, student } = answer['liabilities'] as Record<string, Body[]>
    expect(credit!.map((card) => card['is_overdue'])).toEqual([true, null, false])
    expect(mortgage![0]).toMatchObject({ maturity_date: null, escrow_balance: null })
    expect(student![0]).toMatchObject({ loan_status: { type: 'deferment' }, guarantor: null })
  })

  test('are in pounds and Canadian dollars, too', async () => {
    const currencies = async (number: number) => {
      const answer = await ask('/transactions/sync', { access_token: token(number) })
      return new Set((answer['added'] as Body[]).map((one) => one['iso_currency_code']))
    }
    expect(await currencies(41)).toEqual(new Set(['GBP']))
    expect(await currencies(42)).toEqual(new Set(['CAD']))
  })

  test('show what is dated ahead when the clock gets there', async () => {
    const added = async () =>
      ((await ask('/transactions/sync', { access_token: token(52) }))['added'] as Body[]).length
    expect(await added()).toBe(2)
    const later = await startWorld()
    await later.client.control('sandboxClockAdvance', { seconds: 31 * 86_400 })
    const { body } = await later.client.post('/transactions/sync', { access_token: token(52) })
    expect(body['added']).toHaveLength(3)
    await later.close()
  })
})

describe('the ready Item', () => {
  test('has two years of transactions, on more than twenty pages', async () => {
    let cursor: unknown
    let pages = 0
    const added: Body[] = []
    for (let more = true; more; pages += 1) {
      const page: Body = await ask('/transactions/sync', {
        access_token: token(1),
        count: 50,
        ...(cursor ? { cursor } : {}),
      })
      added.push(...(page['added'] as Body[]))
      cursor = page['next_cursor']
      more = page['has_more'] as boolean
    }
    expect(pages).toBeGreaterThan(20)
    const dates = added.map((one) => one['date'] as string).sort()
    expect(Date.parse(today()) - Date.parse(dates[0]!)).toBeGreaterThan(700 * 86_400_000)
    expect(added.some((one) => one['pending'])).toBe(true)
    expect(added.some((one) => one['pending_transaction_id'])).toBe(true)
  })

  test('has the transactions of the examples', async () => {
    const answer = await ask('/transactions/get', {
      access_token: token(1),
      start_date: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10),
      end_date: today(),
      options: { count: 500 },
    })
    const found = (answer['transactions'] as Body[]).map((one) => one['transaction_id'])
    expect(found).toContain('kW5Qxb5yHZ5hiL8rx9iAESeGMEsfKyiMF1Tzy')
    expect(found).toContain('yVYN9hoDaR5Lu5oD57rqUMqEmDjp7F6ynoSGK')
  })

  test('goes on with the clock: pay comes in, and pending transactions post', async () => {
    const own = await startWorld()
    const sync = async (cursor?: unknown): Promise<Body> => {
      let body: Body = { added: [], removed: [] }
      const all = { added: [] as Body[], removed: [] as Body[] }
      do {
        const asked = { access_token: token(1), count: 500, ...(cursor ? { cursor } : {}) }
        body = (await own.client.post('/transactions/sync', asked)).body
        all.added.push(...(body['added'] as Body[]))
        all.removed.push(...(body['removed'] as Body[]))
        cursor = body['next_cursor']
      } while (body['has_more'])
      return { ...all, cursor }
    }
    const before = await sync()
    await own.client.control('sandboxClockAdvance', { seconds: 16 * 86_400 })
    const after = await sync(before['cursor'])
    const added = after['added'] as Body[]
    expect(added.some((one) => (one['amount'] as number) < -500)).toBe(true)
    expect((after['removed'] as Body[]).length).toBeGreaterThan(0)
    await own.close()
  })
})
