import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Database,
  DatabaseUnavailable,
  type Queries,
  UnknownOutcome,
} from '../../src/server/kernel/database.ts'
import { createInFlightDeliveries } from '../../src/server/worker/webhooks/in-flight-deliveries.ts'
import { withTransactionLimit } from '../../src/server/worker/webhooks/limit-database-work.ts'
import { engine, openTestStore } from '../support/engine.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { insertTestItem, settle } from '../support/transactions-fixtures.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/** Fails so often to note what came of an attempt, each time before or after that is kept. */
function failToNote(database: Database, kind: 'before' | 'after', times: number): Database {
  let left = times
  return {
    ...database,
    async transaction(work, options) {
      let fails = false
      const noticing = (db: Queries): Queries => ({
        ...db,
        async run(sql, values) {
          if (left > 0 && sql.includes('insert into webhook_attempts')) {
            left -= 1
            fails = true
            if (kind === 'before') throw new DatabaseUnavailable('it is away')
          }
          return db.run(sql, values)
        },
      })
      const result = await database.transaction((db) => work(noticing(db)), options)
      if (fails) throw new UnknownOutcome('it went away')
      return result
    },
  }
}

describe('a webhook that was taken', () => {
  test.each([
    ['before', 'could not be noted at once'],
    ['after', 'was noted without anybody knowing'],
  ] as const)('is not sent again if that failed %s the commit: it %s', async (kind, _how) => {
    const { databases, remove } = await openTestStore()
    const [database, ...others] = databases
    for (const other of others) await other.close()
    const service = await startService({ database: failToNote(database!, kind, 2) })
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant, { webhook: receiver.url })
    await tenant.control('sandboxItemFireWebhook', {
      access_token: item.access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
    await receiver.arrivals(1)
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    expect(webhooks).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 200 }] }])
    expect(webhooks[0]!.attempts).toHaveLength(1)
    expect(receiver.received).toHaveLength(1)
    await service.close()
    await remove()
  })
})

/** Notes the statements of transactions about webhooks, and whether each may be lost. */
function noteStatements(database: Database, notes: string[]): Database {
  return {
    ...database,
    transaction: (work, options) => {
      const note = (sql: string) => {
        const [table] = /webhook_(?:keys|attempts|deliveries)/.exec(sql) ?? []
        const [verb] = sql.trim().split(/\s/)
        const kind = options?.mayBeLost ? 'may be lost' : 'durable'
        if (table) notes.push(`${kind}: ${verb} ${table}`)
      }
      const noting = (db: Queries): Queries => ({
        ...db,
        first: (sql, values) => {
          note(sql)
          return db.first(sql, values)
        },
        run: (sql, values) => {
          note(sql)
          return db.run(sql, values)
        },
      })
      return database.transaction((db) => work(noting(db)), options)
    },
  }
}

test.runIf(engine === 'sqlite')(
  'a signing key is durable before it signs; later attempts begin without a transaction',
  async () => {
    const { databases, remove } = await openTestStore()
    const notes: string[] = []
    const service = await startService({ database: noteStatements(databases[0]!, notes) })
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant, { webhook: receiver.url })
    const fire = async () => {
      notes.length = 0
      await tenant.control('sandboxItemFireWebhook', {
        access_token: item.access_token,
        webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      })
      await settle(tenant)
    }
    await fire()
    const key = notes.indexOf('durable: insert webhook_keys')
    expect(key).toBeGreaterThan(-1)
    expect(notes.indexOf('may be lost: insert webhook_attempts')).toBeGreaterThan(key)
    await fire()
    expect(notes.filter((note) => note.endsWith('webhook_keys'))).toEqual([])
    // The one that stores the outcome.
    const selects = notes.filter((note) => note === 'may be lost: select webhook_deliveries')
    expect(selects).toHaveLength(1)
    expect(notes).not.toContain('durable: select webhook_attempts')
    expect(receiver.received).toHaveLength(2)
    await service.close()
    await remove()
  },
)

test('a clock moves on however many attempts are noted meanwhile', async () => {
  receiver.behave(500)
  const service = await startService()
  const tenant = await service.tenant()
  const item = await insertTestItem(service, tenant, { webhook: receiver.url })
  await tenant.control('sandboxItemFireWebhook', {
    access_token: item.access_token,
    webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
  })
  await settle(tenant)
  let isOver = false
  // As attempts do it, of which there are few at once.
  const note = async () => {
    while (!isOver) {
      await service.service.database.transaction(
        (db) =>
          db.run('update webhook_deliveries set asked = asked where client_id = $1', [
            tenant.clientId,
          ]),
        { isolation: 'row', owner: tenant.clientId },
      )
      // Else an embedded store would leave no time for calls.
      await nextTurn()
    }
  }
  const noting = Array.from({ length: 4 }, note)
  try {
    for (let second = 1; second <= 5; second += 1) {
      await tenant.control('sandboxClockAdvance', { seconds: 1 })
    }
  } finally {
    isOver = true
    await Promise.all(noting)
    await service.close()
  }
})

describe('an endpoint', () => {
  afterEach(() => void vi.useRealTimers())

  const url = 'http://127.0.0.1/hooks'
  const keyOf = (webhook_id: string) => ({ client_id: 'client', webhook_id, item_id: null, url })

  /** Where an attempt has been at it that was at its receiver for so long, and at the database. */
  async function attempt(receiverMs: number, databaseMs: number) {
    vi.useFakeTimers()
    const inFlight = createInFlightDeliveries(() => {})
    const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const delivery = inFlight.add(keyOf('webhook'), async ({ sent, answered }) => {
      await pass(databaseMs)
      sent()
      await pass(receiverMs)
      answered()
      await pass(databaseMs)
      return 'ended'
    })
    // Not all timers there are: those of other tests may begin again and again.
    await vi.advanceTimersByTimeAsync(receiverMs + 2 * databaseMs + 1000)
    await delivery.done
    return inFlight
  }

  test('is slow when its receiver takes long', async () => {
    expect((await attempt(1500, 0)).isSlow(url)).toBe(true)
  })

  test('is not slow when the database takes long', async () => {
    expect((await attempt(500, 5000)).isSlow(url)).toBe(false)
  })
})

test('reads and transactions of deliveries leave connections to others', async () => {
  let [now, most] = [0, 0]
  const count = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 2))
    now -= 1
    if (most > 3) throw new Error('too many')
    return 'done'
  }
  const busy = { shared: true, read: count, transaction: count } as unknown as Database
  const { read, transaction } = withTransactionLimit(busy, 3)
  const work = async () => 'done'
  const all = Array.from({ length: 20 }, (_, place) => (place % 2 ? read(work) : transaction(work)))
  expect(new Set(await Promise.all(all))).toEqual(new Set(['done']))
  expect([now, most]).toEqual([0, 3])
})
