import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import {
  type Load,
  type MakeCall,
  type Overlaps,
  startLoad,
  watchOverlaps,
} from '../support/load.ts'
import { asAdmin, urlOf } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

// Two processes as `npm start` runs them, one of which is killed again and again in the middle of all
// that it does. Nothing has happened twice. That what was answered is there is shown by
// test/trust/kill.test.ts.

const rounds = Number(process.env['KILL_ROUNDS'] ?? 2)
const name = `test_kills_${process.pid}`
const environment = {
  // The server itself goes on, so its disk need not be waited for.
  DATABASE_URL: `${urlOf(name)}?synchronous_commit=off`,
  ENCRYPTION_KEY: '5e'.repeat(32),
  REPORT_DELAY_MS: '200',
}
// Longer than a process sleeps that finds nothing to do.
const longestIdle = 1500

let processes: ServiceProcess[]
let receiver: Receiver
let overlaps: Overlaps
let database: Database
let items: string[]
let load: Load
let followed: string[]

beforeAll(async () => {
  receiver = await startReceiver()
  overlaps = watchOverlaps(receiver, 10)
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  processes = await Promise.all([startProcess(environment), startProcess(environment)])
  database = await openPostgres(urlOf(name))
  items = [await link('one'), await link('two')]
  const followers = items.map((access_token) => follow(access_token))
  load = startLoad(processes, callsFor(items))
  for (let round = 0; round < rounds; round += 1) {
    await load.succeed(24)
    const place = round % 2
    await processes[place]?.kill()
    await load.succeed(12)
    processes[place] = await startProcess(environment)
  }
  await load.succeed(24)
  await load.stop()
  await settle()
  isOver = true
  followed = (await Promise.all(followers)).flat()
}, 240_000)
afterAll(async () => {
  for (const { kill } of processes) await kill()
  await receiver.close()
  await database.close()
  await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
})

const today = new Date().toISOString().slice(0, 10)

/** An Item whose transactions are ready, and whose webhooks go to a path of its own. */
async function link(path: string): Promise<string> {
  const [first] = processes as [ServiceProcess]
  const { body } = await first.post('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions', 'assets'],
    options: { webhook: `${receiver.url}/${path}` },
  })
  const { public_token } = body
  const exchanged = await first.post('/item/public_token/exchange', { public_token })
  const access_token = String(exchanged.body['access_token'])
  await first.post('/transactions/sync', { access_token })
  await first.post('/sandbox/clock/advance', { seconds: 0 })
  return access_token
}

/** Writes of every kind, each by a worker of its own. */
const callsFor = ([one, other]: readonly string[]): MakeCall[] => [
  () => ({
    path: '/sandbox/transactions/create',
    body: { access_token: one, transactions: [coffee] },
  }),
  () => ({
    path: '/sandbox/item/fire_webhook',
    body: { access_token: other, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' },
  }),
  () => ({ path: '/wallet/create', body: { iso_currency_code: 'EUR' } }),
  () => ({
    path: '/asset_report/create',
    body: {
      access_tokens: [one],
      days_requested: 5,
      options: { webhook: `${receiver.url}/reports` },
    },
  }),
]

const coffee = {
  amount: 4.75,
  date_posted: today,
  date_transacted: today,
  description: 'KETTLE & FERN',
}

let isOver = false

/** Follows an Item's transactions at whichever process answers; the ids as they were added. */
async function follow(access_token: string): Promise<string[]> {
  const seen: string[] = []
  // Pages count once the last of them is there: a change in between makes them begin again.
  let [cursor, page, pages] = ['', '', [] as string[]]
  for (let turn = 0; ; turn += 1) {
    await sleep(20)
    const wasOver = isOver
    const process = processes[turn % 2] as ServiceProcess
    const call = { access_token, cursor: page, count: 500 }
    const answer = await process.post('/transactions/sync', call).catch(() => undefined)
    if (answer?.status !== 200) {
      if (answer) [page, pages] = [cursor, []]
      continue
    }
    const { added, has_more, next_cursor } = answer.body
    pages.push(...(added as { transaction_id: string }[]).map((one) => one.transaction_id))
    page = String(next_cursor)
    if (has_more === true) continue
    seen.push(...pages)
    if (wasOver && pages.length === 0) return seen
    ;[cursor, pages] = [page, []]
  }
}

const count = async (sql: string, values: readonly (string | number)[] = []) =>
  (await database.single.first<{ found: number }>(`select count(*) as found from ${sql}`, values))
    ?.found ?? -1

/**
 * Waits until all is delivered and made. When nothing moves any more, what is left is what the killed
 * ones had claimed: the half minute is made to pass for which the others keep away from it.
 */
async function settle(): Promise<void> {
  let [made, since] = [-1, Date.now()]
  for (;;) {
    const pending = await count("webhook_deliveries where status = 'pending'")
    const due = await count('jobs where due_at <= $1', [Date.now()])
    if (pending === 0 && due === 0) return
    const attempts = await count('webhook_attempts')
    if (attempts > made || due > 0 || overlaps.open() > 0) since = Date.now()
    made = attempts
    if (Date.now() - since > longestIdle) await endClaims()
    await sleep(100)
  }
}

const endClaims = () =>
  database.transaction(({ run }) =>
    run('update webhook_deliveries set claimed_until = 0 where claimed_until is not null'),
  )

describe('when one of two processes is killed again and again', () => {
  test('calls have no answer, or a right one', () => {
    expect(load.surprises).toEqual([])
    expect(load.unanswered()).toBeGreaterThan(0)
  })

  test('a client that syncs the transactions receives each once', () => {
    const made = load
      .acknowledged('/sandbox/transactions/create')
      .flatMap(({ transaction_ids }) => transaction_ids as string[])
    const seen = new Set(followed)
    expect(followed).toHaveLength(seen.size)
    expect(made.filter((id) => !seen.has(id))).toEqual([])
  })

  test('every report is made, and announced once', async () => {
    const asked = load.acknowledged('/asset_report/create')
    const [first] = processes as [ServiceProcess]
    for (const { asset_report_token } of asked) {
      const { status } = await first.post('/asset_report/get', { asset_report_token })
      expect(status).toBe(200)
    }
    const rows = await database.single.all<{ body: string }>(
      "select body from webhook_deliveries where webhook_code = 'PRODUCT_READY'",
    )
    const told = rows.map(({ body }) => JSON.parse(body).asset_report_id as string)
    expect(new Set(told).size).toBe(told.length)
    const ids = new Set(told)
    expect(asked.filter(({ asset_report_id }) => !ids.has(String(asset_report_id)))).toEqual([])
  })

  test('every webhook arrives, and again only where a kill cut it off', async () => {
    expect(await count("webhook_deliveries where status <> 'delivered'")).toBe(0)
    const fired = load.acknowledged('/sandbox/item/fire_webhook').length
    const code = "webhook_deliveries where webhook_code = 'NEW_ACCOUNTS_AVAILABLE'"
    expect(await count(code)).toBeGreaterThanOrEqual(fired)
    const arrived = receiver.received.length - (await count('webhook_deliveries'))
    expect(arrived).toBeGreaterThanOrEqual(0)
    expect(arrived).toBeLessThanOrEqual(rounds * (items.length + 4))
  })

  test('no two webhooks of an Item are ever under way at once', () => {
    expect(overlaps.found.filter((path) => !path.endsWith('/reports'))).toEqual([])
  })
})
