import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  OverTime,
  UnknownOutcome,
} from '../../src/server/kernel/database.ts'
import { type DeadJobRow, listDeadJobs } from '../../src/server/queue/dead-job-store.ts'
import { runJobsCommand } from '../../src/server/queue/jobs-command.ts'
import { deadJobDays, pruneClient } from '../../src/server/worker/retention/prune.ts'
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
  if (!database) throw new Error('a store has a database')
  service = await startService({ clock: () => now, log, database: failing(database) })
  // Jobs run when the tests say so.
  await service.service.runner.stop()
})
afterAll(async () => {
  await service.close()
  await store.remove()
})

/** What is to fail, and how. */
let broken: { statement: RegExp; error: Error } | undefined
afterEach(() => {
  broken = undefined
})

/** The same database, but for the statements that the test breaks. */
const failing = (whole: Database): Database => ({
  ...whole,
  transaction: (work, options) =>
    whole.transaction((db) => {
      const run: typeof db.run = async (sql, values) => {
        if (broken?.statement.test(sql)) throw broken.error
        return db.run(sql, values)
      }
      return work({ ...db, run })
    }, options),
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

  test('can be run again once its cause is fixed', async () => {
    const { tenant, token } = await createBroken()
    await failAgainAndAgain(tenant)
    const [dead] = await deadOf(tenant)
    const again = { jobs: 'rerun', ids: [dead?.job_id ?? '', 'none'] } as const
    const done = await runJobsCommand(database(), again, now)
    expect(done).toEqual({ revived: [dead?.job_id], unknown: ['none'] })
    expect([await deadOf(tenant), await jobsOf(tenant)]).toEqual([
      [],
      [{ due_at: now, attempts: 0 }],
    ])
    await mendAccounts(tenant)
    await service.service.runner.runDue(tenant.clientId)
    expect(await read(tenant, token)).toHaveProperty('report')
    expect(await runJobsCommand(database(), again, now)).toMatchObject({ revived: [] })
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

/** A report that is due, of an Item of which nothing is broken. */
async function createDue() {
  const { tenant, token } = await createBroken()
  await mendAccounts(tenant)
  return { tenant, token }
}

const taking = /^delete from jobs/
const ending = /^\s*update asset_reports/

describe('an attempt that fails by the database', () => {
  test.each([
    ['is away', new DatabaseUnavailable('away')],
    ['is busy', new DatabaseBusy('busy')],
    ['was lost as it committed', new UnknownOutcome('lost')],
  ])('that %s counts for nothing', async (_case, error) => {
    const { tenant, token } = await createDue()
    broken = { statement: taking, error }
    for (let failures = 0; failures < 13; failures += 1) {
      await service.service.runner.runDue(tenant.clientId)
      expect(await jobsOf(tenant)).toEqual([{ due_at: now + minuteMs / 2, attempts: 0 }])
      now += minuteMs / 2
    }
    broken = undefined
    await service.service.runner.runDue(tenant.clientId)
    expect(await read(tenant, token)).toHaveProperty('report')
  })

  test('counts where a statement took too long, which it may always do', async () => {
    const { tenant } = await createDue()
    broken = { statement: taking, error: new OverTime('canceled') }
    await service.service.runner.runDue(tenant.clientId)
    expect(await jobsOf(tenant)).toMatchObject([{ attempts: 1 }])
  })
})

describe('what waits for a job that always fails, and cannot be ended,', () => {
  test('is ended by a later attempt', async () => {
    const { tenant, token } = await createBroken()
    broken = { statement: ending, error: new Error('not now') }
    for (let attempts = 1; attempts <= 12; attempts += 1) {
      await service.service.runner.runDue(tenant.clientId)
      const [job] = await jobsOf(tenant)
      expect(job).toMatchObject({ attempts })
      now = job?.due_at ?? 0
    }
    expect(logged).toContain('what waits for the job assetReportMake could not be ended')
    expect(await deadOf(tenant)).toEqual([])
    broken = undefined
    expect(await failAgainAndAgain(tenant)).toEqual([])
    expect(await read(tenant, token)).toMatchObject({
      error_code: 'ASSET_REPORT_GENERATION_FAILED',
    })
    expect(await deadOf(tenant)).toMatchObject([{ attempts: 13 }])
  })

  test('is reported with the dead job after as many attempts again', async () => {
    const { tenant } = await createBroken()
    broken = { statement: ending, error: new Error('never') }
    expect(await failAgainAndAgain(tenant)).toHaveLength(23)
    const error = expect.stringMatching(
      /^SyntaxError: .*; what waits for it could not be ended: Error: never$/,
    )
    expect(await deadOf(tenant)).toMatchObject([{ attempts: 24, error }])
  })
})
