import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/server/protocols/protocol.ts'
import { collectStatements } from '../../src/server/sources/pulled-statements.ts'
import { account, actionsOn, prepareGround, row } from '../support/simplefin-ground.ts'
import { type BankRow, seconds } from '../support/simplefin-server.ts'

// What servers write in other ways than the protocol page, and what they tell by halves.

const dayMs = 86_400_000
const ground = prepareGround()
const { findPull, first, link, pull, list, webhooksOf } = actionsOn(ground)

/** A row as a server may write it. */
const written = (id: string, members: object) =>
  ({ ...row(id, '2026-03-10'), ...members }) as BankRow

describe('rows', () => {
  test('have times as text, and a posted one without its time has that of the purchase', async () => {
    const noon = seconds('2026-03-11T12:00:00Z')
    first().rows = [
      { ...written('A', {}), posted: String(noon) as unknown as number },
      written('B', { posted: 0, transacted_at: noon - 86_400, pending: false }),
    ]
    // The server filters by numbers, so it tells them in one fixed response.
    const { item_id, access_token } = await link()
    ground.server.mishaps = [{ body: JSON.stringify({ errlist: [], accounts: [told()] }) }]
    await pull(item_id)
    const shown = await list(access_token)
    expect(shown.map(([date, , , pending]) => [date, pending]).sort()).toEqual([
      ['2026-03-10', false],
      ['2026-03-11', false],
    ])
  })

  test('without a time are pending unless the server says otherwise', async () => {
    first().rows = [written('A', { posted: 0, transacted_at: seconds('2026-03-15T12:00:00Z') })]
    const { item_id, access_token } = await link()
    ground.server.mishaps = [{ body: JSON.stringify({ errlist: [], accounts: [told()] }) }]
    await pull(item_id)
    expect(await list(access_token)).toEqual([['2026-03-15', 'Tide Coffee', 12.5, true]])
  })

  test('of an account that is told in two parts are all there', async () => {
    ground.server.accounts.push(account({ rows: [row('T2', '2026-03-12')] }))
    const { item_id, access_token } = await link()
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(2)
    expect((await ground.tenant.api.accountsGet({ access_token }).orThrow()).accounts).toHaveLength(
      1,
    )
  })
})

const told = () => {
  const { rows, ...rest } = first()
  return { ...rest, transactions: rows }
}

describe('a response', () => {
  test('may begin with a byte order mark', async () => {
    const { item_id, access_token } = await link()
    ground.server.mishaps = [
      { body: `\ufeff${JSON.stringify({ errlist: [], accounts: [told()] })}` },
    ]
    expect(await pull(item_id)).toBeUndefined()
    expect(await list(access_token)).toHaveLength(1)
  })

  test.each([
    ['with too many values', () => Buffer.from(`{"accounts":[${'{},'.repeat(2_000_001)}{}]}`)],
    ['of nothing but brackets', () => Buffer.alloc(1_900_000, '[')],
    ['that is compressed', () => gzipSync(Buffer.alloc(60 * 1024 * 1024))],
  ])('%s is an outage', async (_name, make) => {
    const { item_id, access_token } = await link()
    await pull(item_id)
    ground.server.mishaps = [{ body: make(), headers: { 'Content-Encoding': 'gzip' } }]
    expect(await pull(item_id)).toBe('INSTITUTION_NOT_RESPONDING')
    expect(await list(access_token)).toHaveLength(1)
  })

  test('may need a password with a percent sign', async () => {
    ground.server.prefix = '100%-'
    const { item_id, access_token } = await link()
    expect(await pull(item_id)).toBeUndefined()
    expect(await list(access_token)).toHaveLength(1)
  })
})

describe('an error beside the accounts', () => {
  test('at the first read completes no history', async () => {
    first().fails = true
    const { item_id, access_token } = await link({ daysRequested: 90 })
    await pull(item_id)
    expect(await webhooksOf(item_id)).toEqual([])
    const before = await ground.tenant.api.transactionsSync({ access_token }).orThrow()
    expect(before.transactions_update_status).toBe('NOT_READY')
    first().fails = false
    await pull(item_id)
    expect(await webhooksOf(item_id)).toContain('INITIAL_UPDATE')
    expect(await webhooksOf(item_id)).not.toContain('HISTORICAL_UPDATE')
    for (let count = 0; count < 2; count += 1) await pull(item_id)
    expect(await webhooksOf(item_id)).toContain('HISTORICAL_UPDATE')
    expect(await list(access_token)).toHaveLength(1)
  })

  test('in the middle of the history lets the missing days be asked for again', async () => {
    first().rows = [row('T1', '2026-03-10'), row('OLD', '2026-01-10')]
    const { item_id, access_token } = await link({ daysRequested: 90 })
    await pull(item_id)
    first().fails = true
    await pull(item_id)
    first().fails = false
    for (let count = 0; count < 4; count += 1) await pull(item_id)
    expect(await list(access_token)).toHaveLength(2)
    expect(await webhooksOf(item_id)).toContain('HISTORICAL_UPDATE')
  })

  test('that warns of the request keeps nothing back', async () => {
    ground.server.errors = [{ code: 'gen.api', msg: 'Ask less often.' }]
    const pending = row('P1', '2026-03-15', { pending: true })
    first().rows.push(pending)
    const { item_id, access_token } = await link()
    await pull(item_id)
    expect(await webhooksOf(item_id)).toEqual(['INITIAL_UPDATE', 'HISTORICAL_UPDATE'])
    first().rows.pop()
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(1)
    expect((await findPull(item_id)).notices).toContain('Ask less often.')
  })
})

describe('a consent that ends', () => {
  const days = (count: number) => new Date(ground.now + count * dayMs).toISOString()
  const notices = async (itemId: string) => {
    await ground.service.service.runner.runDue(ground.tenant.clientId)
    return (await webhooksOf(itemId)).filter((code) => code === 'PENDING_EXPIRATION')
  }

  test('is told seven days before, once', async () => {
    const { item_id } = await link({ expiresAt: days(90) })
    ground.now += 83 * dayMs - 60_000
    expect(await notices(item_id)).toEqual([])
    ground.now += 120_000
    expect(await notices(item_id)).toEqual(['PENDING_EXPIRATION'])
    ground.now += 3 * dayMs
    expect(await notices(item_id)).toHaveLength(1)
  })

  test('is not told at the old time after update mode', async () => {
    const { item_id } = await link({ expiresAt: days(90) })
    ground.now += 50 * dayMs
    await link({ itemId: item_id, expiresAt: days(90) })
    ground.now += 35 * dayMs
    expect(await notices(item_id)).toEqual([])
    ground.now += 48 * dayMs + 60_000
    expect(await notices(item_id)).toEqual(['PENDING_EXPIRATION'])
  })
})

test('a response of many rows leaves time for other requests', async () => {
  async function* messages(): AsyncGenerator<Message> {
    yield { type: 'account', ref: 'A', account: { id: 'A', currency: 'USD', opaque: 'own' } }
    for (let index = 0; index < 4000; index += 1) {
      const fields = { status: 'posted', amount: '-1.00', currency: 'USD' } as const
      const told = { ...fields, id: `T${index}`, date: '2026-03-10', description: '' }
      yield { type: 'transaction', ref: 'A', transaction: told }
    }
  }
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await collectStatements({ id: 'simplefin', keyVersion: 1 }, messages())
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(8)
})
