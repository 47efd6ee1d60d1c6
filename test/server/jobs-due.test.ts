import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findClient } from '../../src/server/clients/store.ts'
import type { Queries } from '../../src/server/kernel/database.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import { deleteJobs, listDueClients } from '../../src/server/queue/job-store.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  // Nothing is to be done: these tests only ask for whom there is something to do.
  await service.service.runner.stop()
})
afterAll(() => service.close())

const due = 1_000_000

async function plan(db: Queries, { clientId }: Tenant, times: readonly number[]): Promise<void> {
  for (const [index, time] of times.entries()) {
    await db.run(
      `insert into jobs (client_id, job_id, kind, payload, due_at)
        values ($1, $2, 'unknown', '{}', $3)`,
      [clientId, `job-${index}`, time],
    )
  }
}

/** For which of these clients something is due, in the order in which it is to be done. */
async function order(tenants: readonly Tenant[]): Promise<number[]> {
  const { database } = service.service
  const clients = await listDueClients(database.single, due)
  return clients.map((id) => tenants.findIndex(({ clientId }) => clientId === id))
}

test('clients with work are found in the order in which they have waited, however much it is', async () => {
  const tenants = await Promise.all([service.tenant(), service.tenant(), service.tenant()])
  const [one, other, later] = tenants as [Tenant, Tenant, Tenant]
  const { database } = service.service
  await database.transaction(async (db) => {
    await plan(db, one, [due - 10])
    await plan(db, other, [due - 20, due + 1])
    await plan(db, later, [due + 1])
  })
  expect(await order(tenants)).toEqual([1, 0])

  const many = Array.from({ length: 1500 }, (_, index) => due - 5000 + index)
  const busy = await service.tenant()
  await database.transaction((db) => plan(db, busy, many))
  expect(await order([...tenants, busy])).toEqual([3, 1, 0])
})

test('what is to be done may be told at any length, and taken back', async () => {
  const { clientId } = await service.tenant()
  const { database } = service.service
  const client = await findClient(database.single, clientId)
  if (!client) throw new Error('the client is there')
  // By chance, since a text that repeats itself is stored in less.
  const payload = { ids: Array.from({ length: 300 }, () => randomUUID()) }
  const left = await database.transaction(async (db) => {
    const { ctx } = createContext(service.service, db, { client, now: due })
    await ctx.schedule('unknown' as never, payload as never)
    await ctx.schedule('unknown' as never, { ids: [] } as never)
    await deleteJobs(ctx, 'unknown', payload)
    return db.all<{ payload: string }>('select payload from jobs where client_id = $1', [clientId])
  })
  expect(left).toEqual([{ payload: '{"ids":[]}' }])
})
