/** What the three additions have to do in the copy, told as a test; nobody would write it by hand. */
export const probe = `import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentVersion, versions } from '../../generated/versions.ts'
import { link, webhooksOf } from '../support/items-fixtures.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const previous = Object.keys(versions).at(-2)

describe('what was added', () => {
  test('is an operation that answers, in the newest version and in the one before', async () => {
    const tenant = await service.tenant()
    const { data } = await tenant.api.walletCreate({ iso_currency_code: 'GBP' })
    const { wallet_id, balance } = data!
    const now = await tenant.post('/wallet/balance/get', { wallet_id })
    expect(now.body).toEqual({ balance, request_id: now.body['request_id'] })
    const headers = { 'Service-Version': previous! }
    const before = await tenant.post('/wallet/balance/get', { wallet: wallet_id }, headers)
    expect(before.body).toEqual({ balance, pending: 0, request_id: before.body['request_id'] })
    expect(currentVersion).not.toBe(previous)
  })

  test('is a webhook that is sent', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook: 'http://127.0.0.1:9/hooks' },
    })
    await tenant.post('/identity/refresh', { access_token })
    expect(await webhooksOf(tenant, 'REFRESHED')).toMatchObject([
      { webhook_type: 'IDENTITY', item_id, error: null },
    ])
  })
})
`
