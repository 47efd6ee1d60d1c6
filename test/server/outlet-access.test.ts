import { describe, expect, test } from 'vitest'
import { insertRows, type Row } from '../../src/server/db/insert-rows.ts'
import {
  ask,
  claimOf,
  createToken,
  linkAtBank,
  openAccess,
  service,
  startOutletBeforeEach,
  tenant,
  url,
  wait,
} from '../support/outlet-ground.ts'

// What programs read from the SimpleFIN server of the service.

const dayMs = 86_400_000

startOutletBeforeEach()

describe('an access', () => {
  test('shows the accounts in the form of the protocol', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    const { status, body, headers } = await get('?pending=1')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ errors: [], errlist: [] })
    const [checking] = body.accounts
    expect(checking).toMatchObject({
      org: { name: 'SimpleFIN', 'sfin-url': `${url}/simplefin` },
      conn_id: item_id,
      name: 'Checking (1234)',
      currency: 'USD',
      balance: '100.23',
      'available-balance': '75.23',
    })
    const texts = checking.transactions.map((one: Record<string, unknown>) =>
      [one['posted'], one['amount'], one['description'], one['pending'] ?? false].join(' | '),
    )
    expect(texts).toEqual([
      `${Date.parse('2026-03-10T12:00:00Z') / 1000} | -12.50 | Tide Coffee | false`,
      `${Date.parse('2026-03-12T12:00:00Z') / 1000} | 1500.00 | LARKSPUR WAGES 4411 | false`,
      '0 | -20.00 | Tide Coffee | true',
    ])
    // Budgeting programs reject rows without it, although the protocol does not.
    const payees = checking.transactions.map((one: Record<string, unknown>) => one['payee'])
    expect(payees).toEqual(['Tide Coffee', 'LARKSPUR WAGES 4411', 'Tide Coffee'])
  })

  test('shows what is asked for', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
    const amountsOf = async (query: string) => {
      const { accounts } = (await get(query)).body
      return accounts.map(({ transactions }: { transactions?: { amount: string }[] }) =>
        transactions?.map(({ amount }) => amount),
      )
    }
    expect(await amountsOf('')).toEqual([['-12.50', '1500.00'], ['-12.50']])
    expect(await amountsOf(`?start-date=${seconds('2026-03-11')}`)).toEqual([
      ['1500.00'],
      ['-12.50'],
    ])
    expect(await amountsOf(`?end-date=${seconds('2026-03-11')}`)).toEqual([['-12.50'], []])
    expect(await amountsOf('?balances-only=1')).toEqual([undefined, undefined])
    const [, savings] = (await get('')).body.accounts
    expect(await amountsOf(`?account=${savings.id}`)).toEqual([['-12.50']])
    const unknown = await get('?account=none')
    expect(unknown.body).toMatchObject({
      accounts: [],
      errors: ['there is no such account'],
      errlist: [{ code: 'act.failed', account_id: 'none' }],
    })
  })

  test('takes as a time only seconds since 1970, until the last day of the year 2999', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    const last = Date.parse('2999-12-31T00:00:00Z') / 1000
    for (const text of ['yesterday', 'x1', '1x', '-1', '1.5', `${last + 1}`, '1000000000000']) {
      const { status, body } = await get(`?start-date=${text}`)
      expect([text, status, body.errors]).toEqual([
        text,
        400,
        ['`start-date` must be a time in seconds since 1970'],
      ])
    }
    for (const text of ['0', '', `${last}`]) {
      expect([text, (await get(`?start-date=${text}`)).status]).toEqual([text, 200])
    }
  })

  test('dates a balance by the day for which the bank told it', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    const dates = async () =>
      (await get('?balances-only=1')).body.accounts.map(
        (one: Record<string, number>) => one['balance-date'],
      )
    const noon = Date.parse('2026-03-16T12:00:00Z') / 1000
    wait(5 * dayMs)
    expect(await dates()).toEqual([noon, noon])
  })

  test('leaves out transactions in other currencies, and says so', async () => {
    const { item_id } = await linkAtBank()
    await service.service.database.transaction((db) =>
      db.run(
        `update transactions set document = replace(document, '"USD"', '"EUR"')
          where document like '%1500%'`,
        [],
      ),
    )
    const { get } = await openAccess({ item: item_id })
    const { accounts, errlist } = (await get()).body
    expect(accounts[0].transactions.map(({ amount }: { amount: string }) => amount)).toEqual([
      '-12.50',
    ])
    const msg = '1 transactions in other currencies are left out'
    const account_id = accounts[0].id
    expect(errlist).toEqual([{ code: 'act.missingdata', msg, conn_id: item_id, account_id }])
  })

  test('of a client with more than 200 Items says that some are missing, and shows those that are asked for', async () => {
    const { item_id } = await linkAtBank()
    await service.service.database.transaction(async (db) => {
      const row = await db.first<Row>('select * from items where item_id = $1', [item_id])
      // Ids sort before and after that of the linked Item.
      const copies = Array.from({ length: 200 }, (_, index) => {
        return { ...row, item_id: `!${index}`, access_token_hash: `copy-${index}` }
      })
      await insertRows(db, 'items', copies)
    })
    const { get } = await openAccess({ client_id: tenant.clientId })
    const whole = (await get('?balances-only=1')).body
    expect([whole.connections.length, whole.errors]).toEqual([
      200,
      ['only the first 200 Items are told: name others by `account`'],
    ])
    const one = await openAccess({ item: item_id })
    const [account_] = (await one.get('?balances-only=1')).body.accounts
    const { body } = await get(`?balances-only=1&account=${account_.id}`)
    expect([body.errors, body.accounts]).toEqual([[], [account_]])
  })

  test('names an account that is not there once', async () => {
    const { get } = await openAccess({ client_id: tenant.clientId })
    const { body } = await get('?account=none&account=none')
    expect(body.errors).toEqual(['there is no such account'])
  })

  test('of a client shows all its Items, and nothing of another client', async () => {
    const stranger = await service.tenant()
    const [first, second] = [await linkAtBank(), await linkAtBank()]
    const foreign = await linkAtBank(stranger)
    const own = await openAccess({ client_id: tenant.clientId })
    const idsOf = async (get: typeof own.get) =>
      (await get('')).body.connections.map(({ conn_id }: { conn_id: string }) => conn_id).sort()
    expect(await idsOf(own.get)).toEqual([first.item_id, second.item_id].sort())
    const one = await openAccess({ item: first.item_id })
    expect(await idsOf(one.get)).toEqual([first.item_id])
    const theirs = await openAccess({ client_id: stranger.clientId })
    expect(await idsOf(theirs.get)).toEqual([foreign.item_id])
    const [account_] = (await theirs.get('')).body.accounts
    const asked = await own.get(`?account=${account_.id}`)
    expect(asked.body).toMatchObject({ accounts: [], errors: ['there is no such account'] })
  })

  test('ends when it is revoked, or its Item is removed, or its client is disabled', async () => {
    const { item_id, access_token } = await linkAtBank()
    const revoked = await openAccess({ item: item_id })
    await ask({ simplefin: 'revoke', id: revoked.id })
    expect((await revoked.get()).status).toBe(403)
    const ofItem = await openAccess({ item: item_id })
    const ofClient = await openAccess({ client_id: tenant.clientId })
    const open = await createToken({ client_id: tenant.clientId })
    await tenant.api.itemRemove({ access_token }).orThrow()
    expect((await ofItem.get()).status).toBe(403)
    expect((await ofClient.get()).body.accounts).toEqual([])
    await ask({ client: 'disable', id: tenant.clientId })
    expect((await ofClient.get()).status).toBe(403)
    expect((await claimOf(open.token)).status).toBe(403)
    const { access } = await ask({ simplefin: 'list' })
    expect(access.find(({ id }) => id === revoked.id)).toMatchObject({ status: 'revoked' })
  })

  test('needs its password', async () => {
    const { item_id } = await linkAtBank()
    const { access, get } = await openAccess({ item: item_id })
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const wrong of ['', 'Basic', basic(`${access.username}:wrong`), basic('none:none')]) {
      const { status, body } = await get('', wrong)
      expect([status, body]).toEqual([403, 'Forbidden'])
    }
    expect((await get()).status).toBe(200)
  })

  test('has 24 requests in 24 hours', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    for (let count = 0; count < 24; count += 1) {
      wait(60_000)
      expect((await get('?balances-only=1')).status).toBe(200)
    }
    const { status, headers, body } = await get()
    expect([status, body.errlist[0].code]).toEqual([429, 'gen.api'])
    wait(Number(headers.get('retry-after')) * 1000)
    expect((await get()).status).toBe(200)
  })

  test('leaves its traces in the audit log', async () => {
    const { item_id } = await linkAtBank()
    const { id } = await openAccess({ item: item_id })
    await ask({ simplefin: 'revoke', id })
    await ask({ simplefin: 'revoke', id })
    const rows = await service.service.database.read((db) =>
      db.all<{ actor: string; action: string }>(
        'select actor, action from audit_log where subject = $1 order by at, audit_id',
        [id],
      ),
    )
    expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'operator:test simplefin.create',
      `simplefin:${id} simplefin.claim`,
      'operator:test simplefin.revoke',
    ])
  })
})

test.each([
  ['GET', '/claim/code', 405, 'POST'],
  ['POST', '/accounts', 405, 'GET'],
  ['HEAD', '/accounts', 405, 'GET'],
  ['GET', '/accounts/', 404, null],
  ['GET', '/other?a=1', 404, null],
  ['GET', '', 404, null],
])('%s %s is answered with %i in plain text', async (method, path, status, allow) => {
  const response = await fetch(`${url}/simplefin${path}`, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(await response.text()).not.toContain('{')
})

test('the server says which versions of the protocol it speaks', async () => {
  expect(await (await fetch(`${url}/simplefin/info`)).json()).toEqual({ versions: ['1.0', '2'] })
})
