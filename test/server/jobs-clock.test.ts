import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimClient } from '../../src/server/clients/store.ts'
import { advanceJobs, findDueJob } from '../../src/server/queue/job-store.ts'
import { jobKinds } from '../../src/server/worker/job-kinds.ts'
import { startService, type TestService } from '../support/service.ts'
import { inContext, start } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

const dayMs = 86_400_000

test('a job keeps its moment when the clock moves on before it is done', async () => {
  const tenant = await service.tenant()
  const late = Date.parse(start) + 7 * dayMs
  const job = await inContext(service, tenant, async (ctx) => {
    await ctx.schedule('transactionsCheck', { item_id: 'none' }, dayMs)
    await advanceJobs(ctx, 4 * dayMs)
    return findDueJob(ctx.db, tenant.clientId, late, jobKinds)
  })
  // By a clock that is four days ahead, this is the day after the start, as it was planned.
  expect(job?.due_at).toBe(Date.parse(start) - 3 * dayMs)
})

test("a client's work is done by one at a time, and its clock stands still meanwhile", async () => {
  const tenant = await service.tenant()
  const order: string[] = []
  const { database } = service.service
  const [working] = await Promise.all([
    database.transaction(async (db) => {
      const client = await claimClient(db, tenant.clientId)
      // Long enough for the clock to have moved on, could it have.
      for (let read = 0; read < 50; read += 1) await db.all('select 1')
      order.push('work')
      return client?.clock_offset_ms
    }),
    tenant.control('sandboxClockAdvance', { seconds: 60 }).then(() => order.push('clock')),
  ])
  expect(working).toBe(0)
  expect(order).toEqual(['work', 'clock'])
})
