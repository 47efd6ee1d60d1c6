import { afterEach, beforeEach } from 'vitest'
import { connect, listServer, loopbackSettings } from './connected.ts'
import { startService, type Tenant, type TestService } from './service.ts'
import {
  type BankAccount,
  type BankRow,
  type SimplefinServer,
  seconds,
  startSimplefin,
} from './simplefin-server.ts'

/** Where webhooks about the Items go. */
const webhook = 'https://app.example.com/webhooks'

/** What the service knows of the reads of an Item. */
export interface Pull {
  due_at: number
  calls: string
  secret: string
  notices: string | null
}

/** A service in production with a server beside it, new for each test. */
export interface Ground {
  service: TestService
  server: SimplefinServer
  tenant: Tenant
  /** In ms. */
  now: number
}

/** Prepares the ground for each test of a file. */
export function prepareGround(): Ground {
  const ground = { now: 0 } as Ground
  const clock = () => ground.now
  // The check of answers knows only the currencies that the contract lists.
  const parts = { settings: loopbackSettings, checkAnswer: undefined }
  beforeEach(async () => {
    ground.now = Date.parse('2026-03-16T12:00:00Z')
    ground.service = await startService({ clock, ...parts })
    ground.server = await startSimplefin(clock)
    ground.server.accounts = [account()]
    await listServer(ground.service, ground.server)
    ground.tenant = await ground.service.tenant()
  })
  afterEach(async () => {
    await ground.service.close()
    await ground.server.close()
  })
  return ground
}

/** A posted row at noon of a day. */
export const row = (id: string, day: string, more: Partial<BankRow> = {}): BankRow => ({
  id,
  posted: seconds(`${day}T12:00:00Z`),
  amount: '-12.50',
  description: 'Tide Coffee',
  ...more,
})

/** An account with one row. */
export const account = (more: Partial<BankAccount> = {}): BankAccount => ({
  id: 'ACT-1',
  name: 'Checking (1234)',
  currency: 'USD',
  balance: '100.23',
  'available-balance': '75.23',
  'balance-date': seconds('2026-03-16T11:00:00Z'),
  org: { domain: 'bank.example', name: 'First Bank', 'sfin-url': 'https://sfin.bank.example' },
  rows: [row('T1', '2026-03-10')],
  ...more,
})

/** What tests do there. */
export function actionsOn(ground: Ground) {
  const findPull = async (itemId: string) =>
    (await ground.service.service.database.read((db) =>
      db.first<Pull>('select due_at, calls, secret, notices from item_pulls where item_id = $1', [
        itemId,
      ]),
    )) as Pull
  return {
    findPull,
    first: () => ground.server.accounts[0] as BankAccount,
    link: (more: Partial<Parameters<typeof connect>[3]> = {}) => {
      const { service, tenant, server } = ground
      const onWait = () => {
        ground.now += 5000
      }
      return connect(service, tenant, server, {
        token: server.newToken(),
        webhook,
        onWait,
        ...more,
      })
    },
    /** Reads an Item as soon as that is due. */
    async pull(itemId: string) {
      const { due_at } = await findPull(itemId)
      ground.now = Math.max(ground.now, due_at) + 5000
      return ground.service.service.runner.pull(ground.tenant.clientId, itemId)
    },
    async list(access_token: string) {
      const { added } = await ground.tenant.api.transactionsSync({ access_token }).orThrow()
      return added.map(({ amount, date, name, pending }) => [date, name, amount, pending])
    },
    webhooksOf: (itemId: string) =>
      ground.service.service.database.read(async (db) => {
        const rows = await db.all<{ webhook_code: string }>(
          'select webhook_code from webhook_deliveries where item_id = $1 order by sequence',
          [itemId],
        )
        return rows.map(({ webhook_code }) => webhook_code)
      }),
    itemOf: (access_token: string) => ground.tenant.control('itemGet', { access_token }),
  }
}
