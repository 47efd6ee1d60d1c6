import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compare, listShown, listTheirs, type Pair, startPair } from '../support/upstream-ground.ts'

// What becomes of an Item that another service has, beside its transactions.

let pair: Pair
let item: { item_id: string; access_token: string }
let there: string
beforeEach(async () => {
  pair = await startPair()
  item = await pair.link()
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

test('a reset there is an error here, and loses nothing', async () => {
  const before = await ours()
  await pair.theirs.control('sandboxReset', {})
  await listTheirs(pair.theirs)
  expect(await pair.pull(item.item_id)).toBe('ITEM_LOGIN_REQUIRED')
  expect(await errorOf()).toBe('ITEM_LOGIN_REQUIRED')
  await pair.link(item.item_id)
  expect(await pair.pull(item.item_id)).toBeUndefined()
  expect(compare(before.rows, (await ours()).rows).lost).toEqual([])
})

test('a refresh is passed on, and brings what is new', async () => {
  await pair.advance(3)
  pair.calls.length = 0
  const { access_token } = item
  await pair.tenant.api.transactionsRefresh({ access_token }).orThrow()
  expect(pair.calls[0]).toBe('/transactions/refresh')
  expect(await ours()).toEqual(await listShown(pair.theirs, there))
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
    const found = pair.webhooks.find(({ url }) => url.includes('/source-webhooks/'))
    if (!found) throw new Error('there was no webhook')
    return { found, body: await found.clone().text() }
  }

  test('that is forged is rejected, and makes nothing due', async () => {
    const { found, body } = await arrive()
    const due = await pair.dueAt(item.item_id)
    const forged = new Request(found, { body: body.replace('}', ' }') })
    expect((await pair.first.fetch(forged)).status).toBe(401)
    const unknown = new Request(found.url.replace(/.$/, (last) => (last === '0' ? '1' : '0')), {
      ...{ method: 'POST', headers: found.headers, body },
    })
    expect((await pair.first.fetch(unknown)).status).toBe(404)
    expect(await pair.dueAt(item.item_id)).toBe(due)
  })

  test('that is genuine makes a read due', async () => {
    await arrive()
    const own = pair.webhooks.filter(({ url }) => url.includes('/source-webhooks/'))
    const before = await pair.dueAt(item.item_id)
    const statuses = await Promise.all(own.map(async (one) => (await pair.first.fetch(one)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await pair.dueAt(item.item_id)).toBeLessThan(before)
  })
})
