import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceJobs, findDueJob, takeJob } from '../../src/server/jobs/store.ts'
import { startService, type TestService } from '../support/service.ts'
import { inContext, start } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

const dayMs = 86_400_000

test('a job keeps its moment when the clock moves on between finding and taking it', async () => {
  const tenant = await service.tenant()
  const late = Date.parse(start) + 7 * dayMs
  const taken = await inContext(service, tenant, async (ctx) => {
    await ctx.schedule('transactionsCheck', { item_id: 'none' }, dayMs)
    const job = await findDueJob(ctx.db, tenant.clientId, late)
    if (!job) throw new Error('the job was just planned')
    await advanceJobs(ctx, 4 * dayMs)
    // By a clock that is four days ahead, this is the day after the start, as it was planned.
    return takeJob(ctx.db, job)
  })
  expect(taken).toBe(Date.parse(start) - 3 * dayMs)
})

test('a job is taken once', async () => {
  const tenant = await service.tenant()
  const late = Date.parse(start) + 7 * dayMs
  const [first, second] = await inContext(service, tenant, async (ctx) => {
    await ctx.schedule('transactionsCheck', { item_id: 'none' }, dayMs)
    const job = await findDueJob(ctx.db, tenant.clientId, late)
    if (!job) throw new Error('the job was just planned')
    return [await takeJob(ctx.db, job), await takeJob(ctx.db, job)]
  })
  expect([first, second]).toEqual([Date.parse(start) + dayMs, undefined])
})
