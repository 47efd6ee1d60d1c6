import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeadJobRow, listDeadJobs } from '../../src/server/jobs/dead-store.ts'
import { doJobsOrder } from '../../src/server/jobs/order.ts'
import { deadJobDays, pruneClient } from '../../src/server/retention/prune.ts'
import { openTestStore } from '../support/engine.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const logged: string[] = []
let now = Date.parse('2026-03-16T12:00:00Z')
let service: TestService
let store: Awaited<ReturnType<typeof openTestStore>>

beforeAll(async () => {
  const log = { info: () => {}, error: (_: unknown, message: string) => void logged.push(message) }
  store = await openTestStore()
  const [database, ...rest] = store.databases
  for (const other of rest) await other.close()
  service = await startService({ clock: () => now, log, ...(database ? { database } : {}) })
  // Jobs run when the tests say so.
  await service.service.runner.stop()
})
afterAll(async () => {
  await service.close()
  await store.remove()
})

const database = () => service.service.database

const run = (sql: string, values: (string | number)[]) =>
  database().transaction((db) => db.run(sql, values))

/** A report that is due, of an Item with an account that cannot be read, so that making it fails. */
async function createBroken() {
  const tenant = await service.tenant()
  const item = await insertTestItem(service, tenant, {
    products: ['assets'],
    institution_id: 'ins_109508',
  })
  await breakAccounts(tenant)
  const webhook = 'http://127.0.0.1:9/reports'
  const { body } = await tenant.post('/asset_report/create', {
    access_tokens: [item.access_token],
    days_requested: 2,
    options: { webhook },
  })
  return { tenant, token: String(body['asset_report_token']) }
}

const breakAccounts = ({ clientId }: Tenant) =>
  run("update accounts set owners = '!' || owners where client_id = $1", [clientId])

const mendAccounts = ({ clientId }: Tenant) =>
  run('update accounts set owners = substr(owners, 2) where client_id = $1', [clientId])

const read = async (tenant: Tenant, asset_report_token: string): Promise<Body> =>
  (await tenant.post('/asset_report/get', { asset_report_token })).body

const jobsOf = ({ clientId }: Tenant) =>
  database().read((db) =>
    db.all<{ due_at: number; attempts: number }>(
      'select due_at, attempts from jobs where client_id = $1',
      [clientId],
    ),
  )

const deadOf = async ({ clientId }: Tenant): Promise<DeadJobRow[]> => {
  const all = await database().read((db) => listDeadJobs(db, 1000))
  return all.filter(({ client_id }) => client_id === clientId)
}

/** Runs the job of a client as often as it is due; the pauses before each further attempt, in ms. */
async function failAgainAndAgain(tenant: Tenant): Promise<number[]> {
  const pauses: number[] = []
  for (;;) {
    await service.service.runner.runDue(tenant.clientId)
    const [job] = await jobsOf(tenant)
    if (!job) return pauses
    pauses.push(job.due_at - now)
    now = job.due_at
  }
}

describe('a job that always fails', () => {
  test('is tried twelve times with growing pauses, and then no more', async () => {
    const { tenant } = await createBroken()
    const pauses = await failAgainAndAgain(tenant)
    const growing = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 128, 128]
    expect(pauses).toEqual(growing.map((minutes) => minutes * minuteMs))
    expect(await deadOf(tenant)).toMatchObject([
      { kind: 'assetReportMake', attempts: 12, failed_at: now, error: /^SyntaxError: / },
    ])
    expect(logged).toContain('the job assetReportMake failed 12 times and is not tried again')
  })

  test('lets the report fail that waits for it, and tells its webhook', async () => {
    const { tenant, token } = await createBroken()
    expect(await read(tenant, token)).toMatchObject({ error_code: 'PRODUCT_NOT_READY' })
    await failAgainAndAgain(tenant)
    const failed = { error_code: 'ASSET_REPORT_GENERATION_FAILED' }
    expect(await read(tenant, token)).toMatchObject(failed)
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    expect(webhooks).toMatchObject([{ webhook_type: 'ASSETS', webhook_code: 'ERROR' }])
    expect(JSON.parse(webhooks[0]?.body ?? '')).toMatchObject({ error: failed })
  })

  test('can be run again once what was wrong is mended', async () => {
    const { tenant, token } = await createBroken()
    await failAgainAndAgain(tenant)
    const [dead] = await deadOf(tenant)
    const again = { jobs: 'rerun', ids: [dead?.job_id ?? '', 'none'] } as const
    const done = await doJobsOrder(database(), again, now)
    expect(done).toEqual({ revived: [dead?.job_id], unknown: ['none'] })
    expect([await deadOf(tenant), await jobsOf(tenant)]).toEqual([
      [],
      [{ due_at: now, attempts: 0 }],
    ])
    await mendAccounts(tenant)
    await service.service.runner.runDue(tenant.clientId)
    expect(await read(tenant, token)).toHaveProperty('report')
    expect(await doJobsOrder(database(), again, now)).toMatchObject({ revived: [] })
  })

  test('stays in the list for 90 days', async () => {
    const { tenant } = await createBroken()
    await failAgainAndAgain(tenant)
    now += deadJobDays * dayMs
    await pruneClient(service.service, tenant.clientId)
    expect(await deadOf(tenant)).toHaveLength(1)
    now += 1
    await pruneClient(service.service, tenant.clientId)
    expect(await deadOf(tenant)).toEqual([])
  })

  test('goes with all else of its client when that is reset', async () => {
    const { tenant } = await createBroken()
    await failAgainAndAgain(tenant)
    await tenant.control('sandboxReset', {})
    expect(await deadOf(tenant)).toEqual([])
  })
})

test('the work of a client that does not exist is over at once', async () => {
  await run(
    `insert into jobs (client_id, job_id, kind, payload, due_at)
      values ('gone', 'job-1', 'transactionsCheck', '{"item_id":"none"}', $1)`,
    [now],
  )
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'late').unref())
  const runs = service.service.runner.runDue('gone').then(() => 'over')
  expect(await Promise.race([runs, late])).toBe('over')
})
