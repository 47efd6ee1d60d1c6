import { describe, expect, test } from 'vitest'
import { runPull } from '../../src/server/worker/pulls/run-pull.ts'
import { account, actionsOn, prepareGround, row } from '../support/simplefin-ground.ts'
import type { Mishap } from '../support/simplefin-server.ts'
import { inContext } from '../support/transactions-fixtures.ts'

// What a server can do wrong, and what it can ask for.

const dayMs = 86_400_000
const ground = prepareGround()
const { findPull, first, link, pull, list, webhooksOf, itemOf } = actionsOn(ground)

describe('what a server can do wrong', () => {
  const outages: Mishap[] = ['cut', 'huge', 'redirect', 'wrong JSON', 'no accounts', 'html']
  const statuses = [404, 429, 500, 503].map((status) => ({ status }))

  test.each([...outages, ...statuses])('%j changes nothing, and is tried again', async (mishap) => {
    const { item_id, access_token } = await link()
    await pull(item_id)
    const before = await ground.tenant.api.accountsGet({ access_token }).orThrow()
    ground.server.mishaps = [mishap, mishap]
    const waits: number[] = []
    for (let count = 0; count < 2; count += 1) {
      expect(await pull(item_id)).toMatch(/^INSTITUTION_(NOT_RESPONDING|RATE_LIMIT)$/)
      waits.push((await findPull(item_id)).due_at - ground.now)
    }
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
    expect(await ground.tenant.api.accountsGet({ access_token }).orThrow()).toMatchObject({
      accounts: before.accounts,
    })
    expect(await list(access_token)).toHaveLength(1)
    const { item, status } = await itemOf(access_token)
    expect(item.error).toBeNull()
    expect(status?.transactions?.last_failed_update).not.toBeNull()
    expect(await pull(item_id)).toBeUndefined()
  })

  test('is never asked to wait less than it says', async () => {
    const { item_id } = await link()
    await pull(item_id)
    ground.server.mishaps = [{ status: 429, retryAfter: '7200' }]
    await pull(item_id)
    expect((await findPull(item_id)).due_at - ground.now).toBeGreaterThanOrEqual(7_200_000)
  })

  test('a redirect is not followed', async () => {
    const { item_id } = await link()
    ground.server.mishaps = ['redirect']
    await pull(item_id)
    expect(ground.server.calls.map(({ path }) => path)).toEqual([
      '/simplefin/accounts',
      '/simplefin/accounts',
    ])
  })

  test('a row that is told twice is there once, and one that cannot be read leaves the others', async () => {
    const twice = row('D1', '2026-03-09')
    first().rows = [
      twice,
      twice,
      row('D2', '2026-03-09', { amount: '-0.001' }),
      row('D3', '2026-03-09'),
    ]
    const { item_id, access_token } = await link()
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(2)
    expect((await findPull(item_id)).notices).toContain('decimals')
  })

  test('a currency that is an address is shown, and not fetched', async () => {
    const currency = `http://${ground.server.host}/miles`
    ground.server.accounts.push(account({ id: 'MILES', name: 'Miles', currency }))
    const { item_id, access_token } = await link()
    await pull(item_id)
    const { accounts } = await ground.tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts.map(({ balances }) => balances.unofficial_currency_code)).toEqual([
      null,
      currency,
    ])
    expect(await list(access_token)).toHaveLength(2)
    expect(ground.server.calls.every(({ path }) => path === '/simplefin/accounts')).toBe(true)
  })
})

describe('a login to repeat', () => {
  const cases: [string, string, () => void][] = [
    ['403', 'ITEM_LOGIN_REQUIRED', () => ground.server.revoke()],
    ['402', 'USER_SETUP_REQUIRED', () => void ground.server.mishaps.push({ status: 402 })],
    [
      'con.auth',
      'ITEM_LOGIN_REQUIRED',
      () => void ground.server.errors.push({ code: 'con.auth', message: 'Log in', conn_id: 'C1' }),
    ],
    [
      'a text of version 1',
      'ITEM_LOGIN_REQUIRED',
      () => {
        ground.server.isOld = true
        ground.server.errors = ['You must reauthenticate.']
      },
    ],
  ]

  test.each(cases)('%s is told, and ends with update mode', async (_name, code, happen) => {
    const { item_id, access_token } = await link()
    await pull(item_id)
    happen()
    expect(await pull(item_id)).toBe(code)
    expect((await itemOf(access_token)).item.error?.error_code).toBe(code)
    expect((await webhooksOf(item_id)).at(-1)).toBe('ERROR')
    const sync = await ground.tenant.api.transactionsSync({ access_token })
    expect(sync.error?.error_code).toBe(code)
    ground.server.errors = []
    ground.server.isOld = false
    const repaired = await link({ itemId: item_id })
    expect(repaired.access_token).toBe('')
    expect((await webhooksOf(item_id)).at(-1)).toBe('LOGIN_REPAIRED')
    expect(await pull(item_id)).toBeUndefined()
    expect((await itemOf(access_token)).item.error).toBeNull()
    expect(await list(access_token)).toHaveLength(1)
    expect((await ground.tenant.api.accountsGet({ access_token }).orThrow()).accounts).toHaveLength(
      1,
    )
  })

  test('of one bank lets the others go on', async () => {
    const { item_id } = await link()
    await pull(item_id)
    ground.server.errors = [{ code: 'con.auth', msg: 'Log in', conn_id: 'C9' }]
    first().rows.push(row('T2', '2026-03-14'))
    await pull(item_id)
    const count = await inContext(ground.service, ground.tenant, (ctx) =>
      ctx.own.first<{ rows: number }>(
        'select count(*) as rows from transactions where client_id = $1',
      ),
    )
    expect(count?.rows).toBe(2)
  })
})

describe('a setup token', () => {
  const rejected = (token: string) => expect(link({ token })).rejects

  test('works once', async () => {
    const token = ground.server.newToken()
    await link({ token })
    await rejected(token).toThrow('setupTokenUsed')
  })

  test('must be whole, and of a server on the list', async () => {
    const encode = (text: string) => Buffer.from(text).toString('base64')
    await rejected('no token').toThrow('setupTokenMalformed')
    await rejected(encode('claim me')).toThrow('setupTokenMalformed')
    await rejected(encode('https://bank.example.com/claim/1')).toThrow('setupTokenForeign')
    await rejected(encode(`ftp://${ground.server.host}/claim/1`)).toThrow('setupTokenForeign')
    expect(ground.server.calls).toEqual([])
  })

  test('is not lost when the server fails after the claim', async () => {
    ground.server.mishaps = [{ status: 500 }, 'cut']
    const { item_id, access_token } = await link()
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(1)
  })
})

test('a process that was too slow commits nothing of what it read', async () => {
  const { item_id, access_token } = await link()
  await pull(item_id)
  const { signal } = new AbortController()
  const read = async () => {
    ground.now = Math.max(ground.now, (await findPull(item_id)).due_at)
    return runPull(ground.service.service, { client_id: ground.tenant.clientId, item_id }, signal)
  }
  ground.server.mishaps = ['held']
  const before = ground.server.calls.length
  const slow = read()
  await expect.poll(() => ground.server.calls.length).toBe(before + 1)
  // Its lease ends, and another process reads a newer balance.
  ground.now += 300_000
  first().balance = '200.00'
  await read()
  ground.server.release()
  await slow
  const { accounts } = await ground.tenant.api.accountsGet({ access_token }).orThrow()
  expect(accounts[0]?.balances.current).toBe(200)
})

describe('a refresh', () => {
  test('reads at once, and is rejected beyond the quota', async () => {
    const { item_id, access_token } = await link()
    await pull(item_id)
    ground.now += 60_000
    first().rows.push(row('T2', '2026-03-16'))
    await ground.tenant.api.transactionsRefresh({ access_token }).orThrow()
    expect(await list(access_token)).toHaveLength(2)
    const before = ground.server.calls.length
    for (let count = before; count < 24; count += 1) {
      ground.now += 10_000
      await ground.tenant.api.transactionsRefresh({ access_token }).orThrow()
    }
    ground.now += 10_000
    const { error } = await ground.tenant.api.transactionsRefresh({ access_token })
    expect(error?.error_code).toBe('TRANSACTIONS_REFRESH_LIMIT')
    ground.now += 3_600_000
    await pull(item_id)
    const times = ground.server.calls.map(({ at }) => at)
    expect((times[24] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(dayMs)
  })

  test('fails with the error of the institution', async () => {
    const { item_id, access_token } = await link()
    await pull(item_id)
    ground.now += 60_000
    ground.server.mishaps = [{ status: 500 }]
    const { error } = await ground.tenant.api.transactionsRefresh({ access_token })
    expect(error?.error_code).toBe('INSTITUTION_NOT_RESPONDING')
  })
})
