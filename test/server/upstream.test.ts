import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Received } from '../support/receiver.ts'
import { compare, listShown, listTheirs, type Pair, startPair } from '../support/upstream-ground.ts'

// What becomes of an Item that another service has, beside its transactions.

let pair: Pair
let item: { item_id: string; access_token: string }
let there: string
beforeEach(async () => {
  pair = await startPair()
  item = await pair.link()
  // The other service reads its first transactions by a job.
  await pair.theirs.control('sandboxClockAdvance', { seconds: 0 })
  there = (await pair.secretOf(item.item_id)).access_token
  await pair.pull(item.item_id)
})
afterEach(() => pair.close())

const errorOf = async () => {
  const { access_token } = item
  return (await pair.tenant.control('itemGet', { access_token })).item.error?.error_code
}
const ours = () => listShown(pair.tenant, item.access_token)

test('a login that the other service needs is needed here, and is repaired there', async () => {
  const before = await ours()
  await pair.theirs.control('sandboxItemResetLogin', { access_token: there })
  expect(await pair.pull(item.item_id)).toBe('ITEM_LOGIN_REQUIRED')
  expect(await errorOf()).toBe('ITEM_LOGIN_REQUIRED')
  await pair.link(item.item_id)
  expect((await pair.secretOf(item.item_id)).access_token).toBe(there)
  expect(await pair.pull(item.item_id)).toBeUndefined()
  expect(await errorOf()).toBeUndefined()
  // The repair reads everything again, under the same ids.
  expect(await ours()).toEqual(before)
})

test('webhooks still come here where update mode there is done, and the page here is left', async () => {
  const webhookOf = async () => {
    const { item } = await pair.theirs.api.itemGet({ access_token: there }).orThrow()
    return item.webhook
  }
  const before = await webhookOf()
  await pair.authorize(item.item_id)
  expect(await webhookOf()).toBe(before)
  await pair.link(item.item_id)
  await pair.pull(item.item_id)
  expect(await webhookOf()).not.toBe(before)
  pair.calls.length = 0
  await pair.pull(item.item_id)
  expect(pair.calls).not.toContain('/item/webhook/update')
})

test('what a firewall in front of it answers is no wish for a new login', async () => {
  for (const status of [401, 403]) {
    pair.mishaps = [{ status }]
    expect(await pair.pull(item.item_id)).toBe('INSTITUTION_NOT_RESPONDING')
  }
})

test('a reset there is an error here, and loses nothing', async () => {
  const before = await ours()
  await pair.theirs.control('sandboxReset', {})
  await listTheirs(pair.theirs)
  expect(await pair.pull(item.item_id)).toBe('ITEM_LOGIN_REQUIRED')
  expect(await errorOf()).toBe('ITEM_LOGIN_REQUIRED')
  await pair.link(item.item_id)
  expect(await pair.pull(item.item_id)).toBeUndefined()
  const after = await ours()
  expect(compare(texts(before), texts(after)).lost).toEqual([])
  // The Item there is a new one with other accounts. The former ones are closed here.
  expect(after.balances).toHaveLength(before.balances.length)
})

/** The rows without the names of their accounts. */
const texts = ({ rows }: { rows: readonly string[] }): string[] =>
  rows.map((row) => JSON.stringify(JSON.parse(row)[1])).sort()

test('an account that is closed there is closed here, and its history stays', async () => {
  const before = await ours()
  const listed = async () => {
    const { access_token } = item
    const { accounts } = await pair.tenant.api.accountsGet({ access_token }).orThrow()
    return accounts.map(({ name }) => name)
  }
  const names = await listed()
  const { accounts } = await pair.theirs.api.accountsGet({ access_token: there }).orThrow()
  const account_id = accounts.find(({ name }) => name === names[0])?.account_id ?? ''
  const change = { access_token: there, account_id }
  await pair.theirs.control('sandboxAccountUpdate', { ...change, closed: true })
  await pair.pull(item.item_id)
  expect(await listed()).toEqual(names.slice(1))
  expect((await ours()).rows).toHaveLength(before.rows.length)
  await pair.theirs.control('sandboxAccountUpdate', { ...change, closed: false })
  await pair.pull(item.item_id)
  expect(await listed()).toEqual(names)
})

test('the days that the client asked for are asked of the other service', async () => {
  const asked = await pair.second.service.database.single.all<{ days_requested: number }>(
    'select days_requested from link_tokens where client_id = $1',
    [pair.theirs.clientId],
  )
  expect(asked).toEqual([{ days_requested: 700 }])
})

test('a cursor that is unknown there asks for the user, and then loses and doubles nothing', async () => {
  const before = await ours()
  const state = JSON.stringify({ cursor: 'unknown', of: await ofCursor() })
  await pair.first.service.database.transaction((db) =>
    db.run('update item_pulls set state = $2 where item_id = $1', [item.item_id, state]),
  )
  expect(await pair.pull(item.item_id)).toBe('ITEM_LOGIN_REQUIRED')
  await pair.link(item.item_id)
  expect(await pair.pull(item.item_id)).toBeUndefined()
  expect(await ours()).toEqual(before)
})

/** What the stored cursor belongs to. */
async function ofCursor(): Promise<string> {
  const found = await pair.first.service.database.single.first<{ state: string }>(
    'select state from item_pulls where item_id = $1',
    [item.item_id],
  )
  return JSON.parse(found?.state ?? '').of
}

test('a refresh is passed on, and brings what is new', async () => {
  await pair.advance(3)
  pair.calls.length = 0
  const { access_token } = item
  await pair.tenant.api.transactionsRefresh({ access_token }).orThrow()
  expect(pair.calls[0]).toBe('/transactions/refresh')
  const { rows } = await listShown(pair.theirs, there)
  expect((await ours()).rows).toEqual(rows)
})

test('an Item that is removed here is removed there', async () => {
  const { access_token } = item
  await pair.tenant.api.itemRemove({ access_token }).orThrow()
  await pair.pull(item.item_id)
  const { error } = await pair.theirs.api.accountsGet({ access_token: there })
  expect([error?.error_code, pair.calls.at(-1)]).toEqual(['ITEM_NOT_FOUND', '/item/remove'])
})

describe('a webhook', () => {
  const arrive = async () => {
    await pair.advance(3)
    const own = pair.inbox.received.filter(({ path }) => path.startsWith('/source-webhooks/'))
    if (own.length === 0) throw new Error('there was no webhook')
    return own
  }
  const pass = async ({ path, headers, body }: Pick<Received, 'path' | 'headers' | 'body'>) => {
    const { 'service-verification': token, host } = headers
    const answer = await pair.first.app.inject({
      method: 'POST',
      url: path,
      headers: {
        ...{ 'content-type': 'application/json', host: String(host) },
        'service-verification': String(token),
      },
      payload: body,
    })
    return answer.statusCode
  }

  test('that is forged is rejected, and makes nothing due', async () => {
    const [one] = await arrive()
    if (!one) return
    const due = await pair.dueAt(item.item_id)
    const body = Buffer.concat([one.body, Buffer.from(' ')])
    const path = one.path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect([await pass({ ...one, body }), await pass({ ...one, path })]).toEqual([401, 404])
    expect(await pair.dueAt(item.item_id)).toBe(due)
  })

  test('that is genuine makes a read due', async () => {
    const before = await pair.dueAt(item.item_id)
    const arrived = await arrive()
    // They are signed by the real time, which has not moved there.
    pair.now = Date.parse('2026-01-05T12:00:00Z')
    for (const one of arrived) expect(await pass(one)).toBe(200)
    expect(await pair.dueAt(item.item_id)).not.toBe(before)
  })
})
