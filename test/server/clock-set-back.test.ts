import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { start } from '../support/transactions-fixtures.ts'

const hourMs = 3_600_000

let service: TestService
let now = Date.parse(start)
beforeAll(async () => {
  service = await startService({ clock: () => now })
})
afterAll(() => service.close())

test("the list of requests begins with the latest, also when the system's clock was set back", async () => {
  const tenant = await service.tenant()
  // One for each process.
  for (let process = 0; process < service.processes; process += 1) {
    await tenant.api.walletList({})
  }
  now -= hourMs
  const latest = await tenant.post('/wallet/create', { iso_currency_code: 'EUR' })
  const { requests } = await tenant.control('sandboxRequestList', {})
  expect(requests[0]?.request_id).toBe(latest.body['request_id'])
})
