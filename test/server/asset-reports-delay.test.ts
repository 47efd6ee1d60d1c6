import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { linkItem } from '../support/tour.ts'

let service: TestService
let tenant: Tenant
let access_token: string

beforeAll(async () => {
  // Half of it is no whole number of milliseconds.
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 20_001 } })
  tenant = await service.tenant()
  access_token = await linkItem(tenant, ['assets', 'transactions', 'identity'])
})
afterAll(() => service.close())

/** Asks for a report; then what an attempt to read it is rejected with. */
async function order(add_ons: 'fast_assets'[]) {
  const body = { access_tokens: [access_token], days_requested: 30, options: { add_ons } }
  const { data, error } = await tenant.api.assetReportCreate(body)
  if (error) throw new Error(JSON.stringify(error))
  const { asset_report_token } = data
  return async (fast_report: boolean): Promise<unknown> => {
    const answer = await tenant.post('/asset_report/get', { asset_report_token, fast_report })
    return answer.body['error_code']
  }
}

const wait = (seconds: number) => tenant.control('sandboxClockAdvance', { seconds })

describe('a report', () => {
  test('is rejected until it is ready', async () => {
    const rejection = await order([])
    expect(await rejection(false)).toBe('PRODUCT_NOT_READY')
    await wait(21)
    expect(await rejection(false)).toBeUndefined()
  })

  test('is ready after half of the delay where it is the fast one', async () => {
    const rejection = await order(['fast_assets'])
    expect(await rejection(true)).toBe('PRODUCT_NOT_READY')
    await wait(11)
    expect(await rejection(true)).toBeUndefined()
    expect(await rejection(false)).toBe('PRODUCT_NOT_READY')
    await wait(10)
    expect(await rejection(false)).toBeUndefined()
  })
})
