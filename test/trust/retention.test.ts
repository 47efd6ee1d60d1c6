import { statSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pruneClient } from '../../src/server/worker/retention/prune.ts'
import { openPlace } from '../support/engine.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem, settle } from '../support/transactions-fixtures.ts'
import { canTryOn, createStore, engines, startEdge } from './support/edge-service.ts'
import { progress, report } from './support/report.ts'
import { atScale } from './support/scale.ts'

const monthMs = 30 * 86_400_000
const months = atScale({ quick: 6, normal: 24, long: 60 })
const webhooksAMonth = atScale({ quick: 40, normal: 200, long: 500 })

/** The request list has its own limit of 500, which a few months do not reach. */
const tables = ['webhook_deliveries', 'webhook_attempts', 'oauth_tokens'] as const

/** How many rows there are of what grows with use. */
const countRows = ({ service }: TestService): Promise<number> =>
  service.database.read(async (db) => {
    let sum = 0
    for (const table of tables) {
      const row = await db.first<{ count: number }>(`select count(*) as count from ${table}`)
      sum += row?.count ?? 0
    }
    return sum
  })

/** What an application does in a month: webhooks come, tokens are fetched, calls are made. */
async function useForAMonth(tenant: Tenant, access_token: string): Promise<void> {
  const credentials = { client_id: tenant.clientId, client_secret: tenant.secret }
  for (let made = 0; made < webhooksAMonth; made += 1) {
    await tenant.control('sandboxItemFireWebhook', {
      access_token,
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    })
    const body = { ...credentials, grant_type: 'client_credentials', scope: 'user:read' }
    const { status } = await tenant.post('/oauth/token', body)
    expect(status).toBe(200)
  }
  await settle(tenant)
}

describe.each(engines)('on %s', (engine) => {
  test('a store stops growing, however many months it is used', { timeout: 900_000 }, async () => {
    if (!(await canTryOn(engine))) return
    const store = await createStore(engine)
    onTestFinished(store.remove)
    let now = Date.parse('2026-03-16T12:00:00Z')
    const database = await openPlace(store.address)
    const service = await startService({ database, clock: () => now })
    onTestFinished(service.close)
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, tenant, { webhook: receiver.url })
    const rows: number[] = []
    for (let month = 1; month <= months; month += 1) {
      await useForAMonth(tenant, access_token)
      await pruneClient(service.service, tenant.clientId)
      rows.push(await countRows(service))
      now += monthMs
      progress(`month ${month} of ${months}: ${rows.at(-1)} rows`)
    }
    const early = rows[3] ?? 0
    const latest = rows.at(-1) ?? 0
    report(`a store in use stays as large as it was after four months (${engine})`, {
      months,
      webhooks_a_month: webhooksAMonth,
      rows_after_1_month: rows[0] ?? 0,
      rows_after_4_months: early,
      rows_at_the_end: latest,
      ...(engine === 'sqlite' ? { file_kb: Math.round(statSync(store.address).size / 1024) } : {}),
    })
    expect(latest).toBeLessThanOrEqual(early * 1.05)
    // Months of webhooks would be there without it.
    expect(latest).toBeLessThan(webhooksAMonth * months * 2)
  })
})

const items = atScale({ quick: 3, normal: 10, long: 30 })
const steps = atScale({ quick: 6, normal: 8, long: 12 })
const daysAStep = 30
/** Nothing listens there. */
const dead = 'http://127.0.0.1:9/hooks/'

test('moving the clock of a store in long use takes no longer', { timeout: 900_000 }, async () => {
  const store = await createStore('sqlite')
  const service = await startEdge(store)
  for (let made = 0; made < items; made += 1) {
    const { public_token } = await service.call('/sandbox/public_token/create', {
      institution_id: 'ins_109508',
      initial_products: ['transactions'],
      options: { webhook: dead + made },
    })
    const { access_token } = await service.call('/item/public_token/exchange', { public_token })
    await service.call('/transactions/sync', { access_token })
  }
  const times: number[] = []
  for (let step = 1; step <= steps; step += 1) {
    const begun = performance.now()
    await service.call('/sandbox/clock/advance', { seconds: daysAStep * 86_400 })
    times.push(Math.round(performance.now() - begun))
    progress(`month ${step} of ${steps}: ${times.at(-1)} ms`)
  }
  const half = Math.floor(steps / 2)
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
  report('the clock of a client in long use moves as fast as at first', {
    items_with_dead_receivers: items,
    months: steps,
    first_half_ms_a_month: mean(times.slice(0, half)),
    second_half_ms_a_month: mean(times.slice(half)),
  })
  // What it took before was proportional to everything that had ever been.
  expect(mean(times.slice(half))).toBeLessThan(mean(times.slice(0, half)) * 3 + 1000)
})
