import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { searchCalls } from '../../src/server/dashboard/requests/search-calls.ts'
import { usualKeptCalls } from '../../src/server/kernel/kept-calls.ts'
import {
  insertBatch,
  type KeptCall,
  listCalls,
} from '../../src/server/pipeline/request-log-store.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const call = (sequence: number, request_id = `call-${sequence}`): KeptCall => ({
  sequence,
  request_id,
  at: '2026-02-03T10:00:00Z',
  operation_id: 'walletGet',
  path: '/wallet/get',
  version: currentVersion,
  status: 200,
  error_code: null,
  duration_ms: 1,
  item_id: null,
  resent_from: null,
  injected: null,
})

const keep = (clientId: string, calls: readonly KeptCall[], mostKept = usualKeptCalls.count) =>
  service.service.database.transaction((db) =>
    insertBatch(db, { clientId, calls, bodies: null, now: 0, mostKept }),
  )

const sequencesOf = async (clientId: string) => {
  const calls = await service.service.database.read((db) => listCalls(db, clientId))
  return calls.map(({ sequence }) => sequence)
}

const rowsOf = (clientId: string, { service: place } = service) =>
  place.database.read((db) =>
    db.all<{ sequence: number }>(
      'select sequence from request_log where client_id = $1 order by sequence',
      [clientId],
    ),
  )

const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => call(first + index))

describe('the calls of a client', () => {
  test('are listed with the latest first, however processes wrote them', async () => {
    const { clientId } = await service.tenant()
    await keep(clientId, [call(1), call(4)])
    await keep(clientId, [call(2), call(3), call(5)])
    expect(await sequencesOf(clientId)).toEqual([5, 4, 3, 2, 1])
  })

  test('are forgotten once there are a hundred thousand later ones', async () => {
    const { clientId } = await service.tenant()
    const kept = async () => (await rowsOf(clientId)).map(({ sequence }) => sequence)
    for (const first of [1, 201]) await keep(clientId, from(first, 200))
    // As if many had come in between.
    await service.service.database.transaction((db) =>
      db.run('update request_log set total = 100200 where client_id = $1 and sequence = 400', [
        clientId,
      ]),
    )
    expect(await kept()).toEqual([200, 400])
    await keep(clientId, [call(401)])
    expect(await kept()).toEqual([400, 401])
  })

  test('are stored up to the number that an option sets', async () => {
    const { clientId } = await service.tenant()
    for (const first of [1, 201, 401, 601]) await keep(clientId, from(first, 200), 500)
    expect((await rowsOf(clientId)).map(({ sequence }) => sequence)).toEqual([400, 600, 800])
    const settings = { environment: 'sandbox', reportDelayMs: 0 } as const
    const other = await startService({
      settings: { ...settings, keptCalls: { count: 1, days: 1 } },
    })
    const tenant = await other.tenant()
    for (let count = 0; count < 3; count += 1) {
      await tenant.api.walletList({}).orThrow()
      await tenant.control('sandboxRequestList', {})
      // A process with others writes a call a moment later.
      await expect.poll(() => rowsOf(tenant.clientId, other)).toHaveLength(1)
    }
    await other.close()
  })

  test('are listed up to five hundred', async () => {
    const { clientId } = await service.tenant()
    for (const first of [1, 301]) await keep(clientId, from(first, 300))
    const told = from(101, 500).map(({ sequence }) => sequence)
    expect(await sequencesOf(clientId)).toEqual(told.toReversed())
  })

  test('are listed without reading those of a hundred earlier rows', async () => {
    const { clientId } = await service.tenant()
    for (let row = 0; row < 100; row += 1) await keep(clientId, from(row * 200, 200))
    const read: unknown[][] = []
    const calls = await service.service.database.read((db) => {
      const all: typeof db.all = async (...args) => {
        const rows = await db.all<never>(...args)
        read.push(rows)
        return rows
      }
      return listCalls({ ...db, all }, clientId)
    })
    expect(calls.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 500 }, (_, index) => 19_999 - index),
    )
    expect(read.map((rows) => rows.length)).toEqual([10])
  })

  test('are listed in their order where a process has stored them late', async () => {
    const { clientId } = await service.tenant()
    await keep(clientId, from(1000, 200))
    await keep(clientId, from(600, 200))
    await keep(clientId, from(800, 200))
    expect(await sequencesOf(clientId)).toEqual(
      Array.from({ length: 500 }, (_, index) => 1199 - index),
    )
  })

  test('are listed where their row was counted before those of a long transaction', async () => {
    const { clientId } = await service.tenant()
    for (let row = 0; row < 20; row += 1) await keep(clientId, from(row * 200, 200))
    await keep(clientId, from(5000, 3))
    await service.service.database.transaction(async (db) => {
      const late = 'update request_log set total = 3 where client_id = $1 and sequence = 5002'
      expect(await db.run(late, [clientId])).toBe(1)
    })
    expect((await sequencesOf(clientId)).slice(0, 4)).toEqual([5002, 5001, 5000, 3999])
  })

  test('are kept for each client by itself', async () => {
    const [one, other] = [await service.tenant(), await service.tenant()]
    await keep(other.clientId, [call(1)])
    await keep(one.clientId, from(2, 600))
    expect(await sequencesOf(other.clientId)).toEqual([1])
  })

  test('that two processes gave one number are all on some page', async () => {
    const tenant = await service.tenant()
    const later = 8e15
    const same = ['a', 'b', 'c'].map((name) => call(later, name.repeat(15)))
    for (const one of same) await keep(tenant.clientId, [one])
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 3; page += 1) {
      const answer: { requests: { request_id: string }[]; next_cursor: string | null } =
        await tenant.control('sandboxRequestList', {
          count: 1,
          ...(cursor === null ? {} : { cursor }),
        })
      seen.push(...answer.requests.map(({ request_id }) => request_id))
      cursor = answer.next_cursor
    }
    expect(seen).toEqual(['c', 'b', 'a'].map((name) => name.repeat(15)))
  })

  test('are all on some page, however many come meanwhile', async () => {
    const tenant = await service.tenant()
    const early = 1e15
    const made = Array.from({ length: 600 }, (_, index) =>
      call(early + index, `kept${String(index).padStart(11, '0')}`),
    )
    for (const first of [0, 200, 400]) await keep(tenant.clientId, made.slice(first, first + 200))
    const seen: string[] = []
    const sizes: number[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer: { requests: { request_id: string }[]; next_cursor: string | null } =
        await tenant.control('sandboxRequestList', { count: 49, ...(cursor && { cursor }) })
      seen.push(...answer.requests.map(({ request_id }) => request_id))
      sizes.push(answer.requests.length)
      cursor = answer.next_cursor
    }
    const latest = made.slice(100).map(({ request_id }) => request_id)
    expect(seen.filter((id) => id.startsWith('kept'))).toEqual(latest.toReversed())
    expect(sizes).toEqual([...Array(10).fill(49), 10])
  })

  test('are found by pages of any size, in rows of several processes that overlap', async () => {
    const { clientId } = await service.tenant()
    const processes = 5
    const all = from(1000, 600)
    for (let process = 0; process < processes; process += 1) {
      const own = all.filter((_, index) => index % processes === process)
      // The first rows of each end at different places.
      for (let done = 0, size = 7 + 5 * process; done < own.length; done += size) {
        await keep(clientId, own.slice(done, done + size))
      }
    }
    for (const count of [1, 10, 50, 600]) {
      const seen: KeptCall[] = []
      for (let page: KeptCall[] = all; page.length > 0; seen.push(...page)) {
        const search = { before: seen.at(-1), parts: [], requestId: undefined }
        page = await service.service.database.read((db) =>
          searchCalls(
            db,
            clientId,
            { ...search, from: undefined, to: undefined },
            () => true,
            count,
          ),
        )
      }
      expect(seen.map(({ sequence }) => sequence)).toEqual(
        all.map(({ sequence }) => sequence).toReversed(),
      )
    }
  })
})
