import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertRows, type Row } from '../../src/server/db/insert-rows.ts'
import {
  type OperatorCommand,
  runOperatorCommand,
} from '../../src/server/operator/operator-command.ts'
import type { AccessDone } from '../../src/server/operator/simplefin-command.ts'
import { connect, listServer, loopbackSettings } from '../support/connected.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { account, row } from '../support/simplefin-ground.ts'
import { type SimplefinServer, startSimplefin } from '../support/simplefin-server.ts'

// The SimpleFIN server of the service, read by programs and by our own connector in a second service.

let now: number
let bank: SimplefinServer
let service: TestService
let tenant: Tenant
let url: string
let other: TestService | undefined

const clock = () => now
const dayMs = 86_400_000
const settings = { settings: loopbackSettings, clock, checkAnswer: undefined }

beforeEach(async () => {
  now = Date.parse('2026-03-16T12:00:00Z')
  other = undefined
  bank = await startSimplefin(clock)
  bank.accounts = [
    account({
      rows: [
        row('T1', '2026-03-10'),
        row('T2', '2026-03-12', { amount: '1500.00', description: 'LARKSPUR WAGES 4411' }),
        row('P1', '2026-03-15', { amount: '-20.00', pending: true, posted: 0 }),
      ],
    }),
    account({ id: 'ACT-2', name: 'Savings (5678)', rows: [row('S1', '2026-03-11')] }),
  ]
  service = await startService({ ...settings, publicUrl: () => url })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await listServer(service, bank)
  tenant = await service.tenant()
})
afterEach(async () => {
  await other?.close()
  await service.close()
  await bank.close()
})

const onWait = () => {
  now += 5000
}

/** Links an Item at the bank, and reads it. */
async function linkAtBank(of: Tenant = tenant) {
  const linked = await connect(service, of, bank, { token: bank.newToken(), onWait })
  await pull(service, of, linked.item_id)
  return linked
}

async function pull(at: TestService, { clientId }: Tenant, itemId: string, ends?: string) {
  const { due_at } = (await at.service.database.read((db) =>
    db.first<{ due_at: number }>('select due_at from item_pulls where item_id = $1', [itemId]),
  )) as { due_at: number }
  now = Math.max(now, Number(due_at)) + 5000
  expect(await at.service.runner.pull(clientId, itemId)).toBe(ends)
}

async function* nothing() {}

async function ask(command: object): Promise<AccessDone> {
  const whole = { ...command, actor: 'operator:test' } as OperatorCommand
  return (await runOperatorCommand(service.service, whole, nothing())) as AccessDone
}

/** A setup token, and the id of its access. */
async function createToken(of: { item?: string; client_id?: string }) {
  const done = await ask({ simplefin: 'create', name: 'Budget', ...of })
  return { token: done.setup_token ?? '', id: done.access[0]?.id ?? '' }
}

const claimOf = (token: string) =>
  fetch(Buffer.from(token, 'base64').toString(), { method: 'POST' })

/** Claims a new token; asks for accounts with what it gives. */
async function openAccess(of: { item?: string; client_id?: string }) {
  const { token, id } = await createToken(of)
  const access = new URL(await (await claimOf(token)).text())
  const credentials = Buffer.from(`${access.username}:${access.password}`).toString('base64')
  const get = async (query = '', authorization = `Basic ${credentials}`) => {
    const response = await fetch(`${url}/simplefin/accounts${query}`, {
      headers: { authorization },
    })
    const text = await response.text()
    const body = text.startsWith('{') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  }
  return { access, get, id, token }
}

const rowsOf = (at: Tenant, access_token: string) =>
  at.api
    .transactionsSync({ access_token })
    .orThrow()
    .then(({ added }) =>
      added
        .map(({ date, name, amount, pending, original_description, iso_currency_code }) => {
          return [date, name, amount, pending, original_description, iso_currency_code].join(' | ')
        })
        .sort(),
    )

const accountsOf = async (at: Tenant, access_token: string) =>
  (await at.api.accountsGet({ access_token }).orThrow()).accounts.map(
    ({ name, mask, balances: { current, available, iso_currency_code } }) =>
      [name, mask, current, available, iso_currency_code].join(' | '),
  )

describe('an Item that is read by another service', () => {
  async function readFromOther() {
    const first = await linkAtBank()
    const { token } = await createToken({ item: first.item_id })
    const reading = await startService(settings)
    other = reading
    const host = new URL(url).host
    await listServer(reading, { host })
    const reader = await reading.tenant()
    const second = await connect(reading, reader, { host }, { token, onWait })
    await pull(reading, reader, second.item_id)
    return { first, second, reading, reader }
  }

  test('has the same accounts, balances and transactions there', async () => {
    const { first, second, reader } = await readFromOther()
    expect(await accountsOf(reader, second.access_token)).toEqual(
      await accountsOf(tenant, first.access_token),
    )
    const rows = await rowsOf(tenant, first.access_token)
    expect(rows).toHaveLength(4)
    expect(await rowsOf(reader, second.access_token)).toEqual(rows)
  })

  test('does not change when it is read again', async () => {
    const { second, reading, reader } = await readFromOther()
    const { access_token } = second
    const { next_cursor: cursor } = await reader.api.transactionsSync({ access_token }).orThrow()
    await pull(reading, reader, second.item_id)
    const again = await reader.api.transactionsSync({ access_token, cursor }).orThrow()
    expect([again.added, again.modified, again.removed]).toEqual([[], [], []])
  })

  test('follows what changes at the bank', async () => {
    const { first, second, reading, reader } = await readFromOther()
    const [checking] = bank.accounts
    if (checking) {
      checking.rows = [...checking.rows.slice(0, 2), row('P1', '2026-03-16', { amount: '-24.00' })]
      checking.balance = '80.00'
    }
    await pull(service, tenant, first.item_id)
    await pull(reading, reader, second.item_id)
    const rows = await rowsOf(tenant, first.access_token)
    expect(rows.join()).toContain('2026-03-16 | Tide Coffee | 24 | false')
    expect(await rowsOf(reader, second.access_token)).toEqual(rows)
    expect(await accountsOf(reader, second.access_token)).toEqual(
      await accountsOf(tenant, first.access_token),
    )
  })

  test('tells there that its user must log in again', async () => {
    const { first, second, reading, reader } = await readFromOther()
    bank.errors = [{ code: 'con.auth', msg: 'Log in at your bank.' }]
    await pull(service, tenant, first.item_id, 'ITEM_LOGIN_REQUIRED')
    await pull(reading, reader, second.item_id, 'ITEM_LOGIN_REQUIRED')
    const { item } = await reader.api.itemGet({ access_token: second.access_token }).orThrow()
    expect(item.error?.error_code).toBe('ITEM_LOGIN_REQUIRED')
  })
})

describe('a setup token', () => {
  test('is claimed once, and nothing of it is stored', async () => {
    const { item_id } = await linkAtBank()
    const { token, id } = await createToken({ item: item_id })
    const claimed = await claimOf(token)
    expect(claimed.status).toBe(200)
    const access = new URL(await claimed.text())
    expect(access.pathname).toBe('/simplefin')
    expect((await claimOf(token)).status).toBe(403)
    const stored = JSON.stringify(
      await service.service.database.read((db) => db.all('select * from simplefin_access')),
    )
    for (const secret of [access.password, Buffer.from(token, 'base64').toString().slice(-64)]) {
      expect(stored).not.toContain(secret)
    }
    expect(stored).toContain(id)
  })

  test('is claimed once by two that come together', async () => {
    const { token } = await createToken({ client_id: tenant.clientId })
    const statuses = await Promise.all([claimOf(token), claimOf(token), claimOf(token)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('ends after a day', async () => {
    const { token, id } = await createToken({ client_id: tenant.clientId })
    now += dayMs
    expect((await claimOf(token)).status).toBe(403)
    const { access } = await ask({ simplefin: 'list' })
    expect(access).toMatchObject([{ id, status: 'expired' }])
  })

  test('is made for a client that is enabled, with a short name, and listed for what it is', async () => {
    const { item_id } = await linkAtBank()
    const [ofItem, ofClient] = [
      await createToken({ item: item_id }),
      await createToken({ client_id: tenant.clientId }),
    ]
    const listed = async (of: object) =>
      (await ask({ simplefin: 'list', ...of })).access.map(({ id }) => id)
    expect(await listed({ item: item_id })).toEqual([ofItem.id])
    expect((await listed({ client_id: tenant.clientId })).sort()).toEqual(
      [ofItem.id, ofClient.id].sort(),
    )
    expect(await listed({ client_id: 'none' })).toEqual([])
    const create = (more: object) =>
      ask({ simplefin: 'create', name: 'Budget', client_id: tenant.clientId, ...more })
    await expect(create({ name: 'a'.repeat(101) })).rejects.toThrow('at most 100 characters')
    await ask({ client: 'disable', id: tenant.clientId })
    await expect(create({})).rejects.toThrow('is disabled')
  })

  test('of an Item that was removed cannot be claimed', async () => {
    const { item_id, access_token } = await linkAtBank()
    const { token, id } = await createToken({ item: item_id })
    await tenant.api.itemRemove({ access_token }).orThrow()
    expect((await claimOf(token)).status).toBe(403)
    expect((await ask({ simplefin: 'list' })).access).toMatchObject([{ id, status: 'open' }])
  })

  test.each(['http://money.example.com', 'http://127.0.0.1:4000', ''])(
    'needs an https address in production, not "%s"',
    async (address) => {
      const { service: running } = service
      const { callTargets: _, ...settings_ } = running.settings
      const production = { ...running, settings: settings_, publicUrl: () => address }
      const order = { simplefin: 'create', name: 'Budget', client_id: tenant.clientId }
      const command = { ...order, actor: 'operator:test' } as OperatorCommand
      await expect(runOperatorCommand(production, command, nothing())).rejects.toThrow(
        /^set PUBLIC_URL/,
      )
    },
  )

  test('that nobody made is answered in the same way', async () => {
    const response = await fetch(`${url}/simplefin/claim/${'0'.repeat(64)}`, { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([403, 'Forbidden'])
  })
})

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
    const wrong = await get('?start-date=yesterday')
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      ['`start-date` must be a time in seconds since 1970'],
    ])
  })

  test('dates a balance by the day for which the bank told it', async () => {
    const { item_id } = await linkAtBank()
    const { get } = await openAccess({ item: item_id })
    const dates = async () =>
      (await get('?balances-only=1')).body.accounts.map(
        (one: Record<string, number>) => one['balance-date'],
      )
    const noon = Date.parse('2026-03-16T12:00:00Z') / 1000
    now += 5 * dayMs
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
      now += 60_000
      expect((await get('?balances-only=1')).status).toBe(200)
    }
    const { status, headers, body } = await get()
    expect([status, body.errlist[0].code]).toEqual([429, 'gen.api'])
    now += Number(headers.get('retry-after')) * 1000
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
