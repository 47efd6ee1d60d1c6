import { describe, expect, test } from 'vitest'
import {
  type OperatorCommand,
  runOperatorCommand,
} from '../../src/server/operator/operator-command.ts'
import { connect, listServer } from '../support/connected.ts'
import {
  accountsOf,
  alsoEnd,
  ask,
  bank,
  claimOf,
  createToken,
  linkAtBank,
  nothing,
  onWait,
  pull,
  rowsOf,
  service,
  settings,
  startOutletBeforeEach,
  tenant,
  url,
  wait,
} from '../support/outlet-ground.ts'
import { startService } from '../support/service.ts'
import { row } from '../support/simplefin-ground.ts'

// The SimpleFIN server of the service, read by our own connector in a second service.

const dayMs = 86_400_000

startOutletBeforeEach()

describe('an Item that is read by another service', () => {
  async function readFromOther() {
    const first = await linkAtBank()
    const { token } = await createToken({ item: first.item_id })
    const reading = await startService(settings)
    alsoEnd(reading)
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
    wait(dayMs)
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
