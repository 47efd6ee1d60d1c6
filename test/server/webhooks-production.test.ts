import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { inContext } from '../support/transactions-fixtures.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

describe('in production', () => {
  test('an address that may not be called is not, and gets no retry', async () => {
    const settings = { environment: 'production', reportDelayMs: 0 } as const
    const production = await startService({ settings })
    const tenant = await production.tenant()
    await inContext(production, tenant, async (ctx) => {
      const fields = { item_id: 'item', error: null }
      for (const url of [receiver.url, receiver.url.replace('http:', 'https:')]) {
        await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', fields, { url })
      }
    })
    await production.service.runner.runDue(tenant.clientId)
    const rows = await production.service.database.read((db) =>
      db.all(`select status, due_at, error, status_code from webhook_deliveries d
        join webhook_attempts a on a.webhook_id = d.webhook_id order by sequence`),
    )
    const failed = { status: 'failed', due_at: null, status_code: null }
    expect(rows).toEqual([
      { ...failed, error: 'the address is not https' },
      { ...failed, error: 'the address is not public' },
    ])
    expect(receiver.received).toEqual([])
    await production.close()
  })
})
