import { describe, expect, test } from 'vitest'
import { listServer } from '../support/connected.ts'
import { account, actionsOn, prepareGround, row } from '../support/simplefin-ground.ts'
import { seconds } from '../support/simplefin-server.ts'

// What becomes of a source's accounts and rows.

const dayMs = 86_400_000
const ground = prepareGround()
const { findPull, first, link, pull, list, webhooksOf, itemOf } = actionsOn(ground)

describe('a linked Item', () => {
  test('has its accounts at once, and its rows after the first read', async () => {
    const { item_id, access_token, accounts } = await link()
    expect(accounts.map(({ name, mask, current }) => [name, mask, current])).toEqual([
      ['Checking (1234)', '1234', 10_023],
    ])
    expect(await pull(item_id)).toBeUndefined()
    expect(await list(access_token)).toEqual([['2026-03-10', 'Tide Coffee', 12.5, false]])
    expect(await webhooksOf(item_id)).toEqual(['INITIAL_UPDATE', 'HISTORICAL_UPDATE'])
    const { status } = await itemOf(access_token)
    expect(status?.transactions?.last_successful_update).toBe('2026-03-16T12:00:05Z')
  })

  test('asks for what the protocol page says, with the credentials in a header', async () => {
    const { item_id } = await link()
    await pull(item_id)
    const [balances, rows] = ground.server.calls
    expect(Object.fromEntries(balances?.query ?? [])).toEqual({
      version: '2',
      'balances-only': '1',
    })
    expect(Object.fromEntries(rows?.query ?? [])).toEqual({
      version: '2',
      'start-date': String(seconds('2026-02-14T00:00:00Z')),
      'end-date': String(seconds('2026-03-18T01:00:00Z')),
      pending: '1',
    })
    expect(rows?.path).toBe('/simplefin/accounts')
    expect(rows?.authorization).toMatch(/^Basic /)
  })

  test('gets the history that was asked for, in parts that overlap', async () => {
    first().rows = ['2026-03-10', '2026-01-20', '2025-12-05', '2025-10-01'].map((day) =>
      row(day, day),
    )
    const { item_id, access_token } = await link({ daysRequested: 120 })
    for (let count = 0; count < 4; count += 1) await pull(item_id)
    expect((await list(access_token)).map(([date]) => date).sort()).toEqual([
      '2025-12-05',
      '2026-01-20',
      '2026-03-10',
    ])
    const windows = ground.server.calls.slice(1).map(({ query }) => {
      const day = (name: string) =>
        new Date(Number(query.get(name)) * 1000).toISOString().slice(0, 10)
      return [day('start-date'), day('end-date')]
    })
    expect(windows).toEqual([
      ['2026-02-14', '2026-03-18'],
      ['2026-01-05', '2026-03-06'],
      ['2025-11-26', '2026-01-25'],
      ['2025-11-17', '2025-12-16'],
    ])
    expect(await webhooksOf(item_id)).toEqual([
      'INITIAL_UPDATE',
      'DEFAULT_UPDATE',
      'DEFAULT_UPDATE',
      'HISTORICAL_UPDATE',
    ])
  })

  test('has the accounts of all organizations, even where these share an id', async () => {
    const other = account({
      name: 'Savings',
      org: { domain: 'other.example', name: 'Other Bank', 'sfin-url': 'https://o.example' },
      rows: [row('T1', '2026-03-11', { description: 'Rent' })],
    })
    ground.server.accounts.push(other)
    const { item_id, access_token, accounts } = await link()
    expect(accounts.map(({ official_name }) => official_name)).toEqual(['First Bank', 'Other Bank'])
    await pull(item_id)
    expect((await list(access_token)).map(([, name]) => name).sort()).toEqual([
      'Rent',
      'Tide Coffee',
    ])
    // One of them goes: the other one is still found.
    ground.server.accounts = [other]
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(2)
    expect((await ground.tenant.api.accountsGet({ access_token }).orThrow()).accounts).toHaveLength(
      2,
    )
  })

  test('takes the days of the time zone of its institution', async () => {
    const zone = { time_zone: 'Pacific/Auckland' }
    await listServer(ground.service, ground.server, zone)
    first().rows = [row('T1', '2026-03-10', { posted: seconds('2026-03-10T23:00:00Z') })]
    const { item_id, access_token } = await link({ settings: zone })
    await pull(item_id)
    await listServer(ground.service, ground.server)
    expect((await list(access_token)).map(([date]) => date)).toEqual(['2026-03-11'])
    expect(ground.server.calls[1]?.query.get('start-date')).toBe(
      String(seconds('2026-02-13T11:00:00Z')),
    )
  })

  test('shows no account that the user left out, and tells of one that is new', async () => {
    ground.server.accounts.push(account({ id: 'ACT-2', name: 'Private' }))
    const { item_id, access_token } = await link({ share: (name) => !name.includes('Private') })
    await pull(item_id)
    expect(await webhooksOf(item_id)).not.toContain('NEW_ACCOUNTS_AVAILABLE')
    ground.server.accounts.push(
      account({ id: 'ACT-3', name: 'New', rows: [row('N1', '2026-03-12')] }),
    )
    await pull(item_id)
    await pull(item_id)
    expect((await webhooksOf(item_id)).filter((code) => code.startsWith('NEW'))).toHaveLength(1)
    expect((await ground.tenant.api.accountsGet({ access_token }).orThrow()).accounts).toHaveLength(
      1,
    )
    // Update mode asks for its type.
    await link({ itemId: item_id })
    await pull(item_id)
    const { accounts } = await ground.tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts.map(({ name }) => name)).toEqual(['Checking (1234)', 'Private', 'New'])
    expect(await list(access_token)).toHaveLength(3)
  })

  test('keeps its secret encrypted, and forgets it when the Item is removed', async () => {
    const { item_id, access_token } = await link()
    const { secret } = await findPull(item_id)
    expect(secret).not.toContain('secret-')
    await ground.tenant.api.itemRemove({ access_token }).orThrow()
    expect(await findPull(item_id)).toBeUndefined()
    ground.now += dayMs
    await ground.service.service.runner.pull(ground.tenant.clientId, item_id)
    expect(ground.server.calls).toHaveLength(1)
  })
})

describe('pending rows', () => {
  const pending = row('P1', '2026-03-15', { pending: true, amount: '-20.00' })

  test('become posted with the same id, and with a tip', async () => {
    first().rows = [pending]
    const { item_id, access_token } = await link()
    await pull(item_id)
    expect(await list(access_token)).toEqual([['2026-03-15', 'Tide Coffee', 20, true]])
    first().rows = [row('P1', '2026-03-16', { amount: '-24.00' })]
    await pull(item_id)
    const { added } = await ground.tenant.api.transactionsSync({ access_token }).orThrow()
    expect(
      added.map(({ amount, pending_transaction_id }) => [amount, pending_transaction_id]),
    ).toEqual([[24, expect.any(String)]])
  })

  test('become posted with another id', async () => {
    first().rows = [pending]
    const { item_id, access_token } = await link()
    await pull(item_id)
    first().rows = [row('X9', '2026-03-16', { amount: '-20.00' })]
    await pull(item_id)
    expect(await list(access_token)).toEqual([['2026-03-16', 'Tide Coffee', 20, false]])
  })

  test('without a time keep the day on which they were told first', async () => {
    first().rows = [{ ...pending, posted: 0 }]
    const { item_id, access_token } = await link()
    await pull(item_id)
    for (let days = 0; days < 3; days += 1) {
      ground.now += dayMs
      await pull(item_id)
    }
    expect(await list(access_token)).toEqual([['2026-03-16', 'Tide Coffee', 20, true]])
  })

  test('go when they are no longer told, but not while the account fails', async () => {
    first().rows = [pending]
    const { item_id, access_token } = await link()
    await pull(item_id)
    first().fails = true
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(1)
    first().fails = false
    first().rows = []
    await pull(item_id)
    expect(await list(access_token)).toEqual([])
  })
})
