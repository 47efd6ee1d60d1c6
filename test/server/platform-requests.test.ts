import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let ahead = 0

beforeAll(async () => {
  service = await startService({ clock: () => Date.now() + ahead })
})
afterAll(() => service.close())

const begin = async (tenant: Tenant): Promise<string> =>
  (await tenant.control('requestsTail', {})).next_cursor

/** Long enough for every process to have written its calls. */
async function settle(): Promise<void> {
  await service.quiesce(async () => {}, 'cut')
  ahead += 3000
}

describe('requestsTail', () => {
  test('returns the calls since the cursor, the oldest first', async () => {
    const tenant = await service.tenant()
    await tenant.post('/accounts/get', {})
    await settle()
    const cursor = await begin(tenant)
    await tenant.post('/item/get', { access_token: 'none' })
    await tenant.api.walletList({}).orThrow()
    await settle()
    const { requests, next_cursor } = await tenant.control('requestsTail', { cursor })
    expect(requests).toMatchObject([
      { operation_id: 'itemGet', path: '/item/get', status: 400, error_code: expect.any(String) },
      { operation_id: 'walletList', status: 200, error_code: null, version: '2020-09-14' },
    ])
    const rest = await tenant.control('requestsTail', { cursor: next_cursor })
    expect(rest).toMatchObject({ requests: [], next_cursor })
  })

  test('returns every call once, whatever the pages', async () => {
    const tenant = await service.tenant()
    const cursor = await begin(tenant)
    await Promise.all(Array.from({ length: 7 }, () => tenant.post('/wallet/list', {})))
    await settle()
    const collect = async (from: string): Promise<string[]> => {
      const page = await tenant.control('requestsTail', { cursor: from, count: 3 })
      if (page.requests.length === 0) return []
      return [...page.requests.map((one) => one.request_id), ...(await collect(page.next_cursor))]
    }
    const ids = await collect(cursor)
    expect(ids).toHaveLength(7)
    expect(new Set(ids).size).toBe(7)
  })

  test('waits for calls, and shows those of nobody else', async () => {
    const tenant = await service.tenant()
    const other = await service.tenant()
    const cursor = await begin(tenant)
    await other.post('/wallet/list', {})
    await tenant.post('/wallet/list', {})
    const { requests } = await tenant.control('requestsTail', { cursor, wait_seconds: 25 })
    expect(requests.map(({ operation_id }) => operation_id)).toEqual(['walletList'])
  })

  test('rejects a cursor of another list', async () => {
    const tenant = await service.tenant()
    const { next_cursor } = await tenant.control('webhookListen', {})
    const { body } = await tenant.post('/requests/tail', { cursor: next_cursor })
    expect(body).toMatchObject({ error_code: 'INVALID_FIELD' })
  })
})
