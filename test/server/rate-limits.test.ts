import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// Where an engine can be shared there are two services, which answer alternately.

let service: TestService
beforeAll(async () => {
  service = await startService({
    rateLimits: 'sandbox',
    clock: () => Date.parse('2026-03-16T12:00:00Z'),
  })
})
afterAll(() => service.close())

const access_token = 'access-sandbox-00000000-0000-4000-8000-00000000abcd'

const statusesOf = async (tenant: Tenant, calls: number): Promise<number[]> => {
  const statuses: number[] = []
  for (let made = 0; made < calls; made += 1) {
    statuses.push((await tenant.post('/liabilities/get', { access_token })).status)
  }
  return statuses
}

test('a reset ends the rate limits of its client in every process', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const before = await statusesOf(tenant, 24)
  expect(before.slice(-4)).toEqual([429, 429, 429, 429])
  await statusesOf(other, 24)
  expect(await tenant.post('/sandbox/reset', {})).toMatchObject({ status: 200 })
  expect(await statusesOf(tenant, 24)).toEqual(before)
  expect(await statusesOf(other, 2)).toEqual([429, 429])
})
