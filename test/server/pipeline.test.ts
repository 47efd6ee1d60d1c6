import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const token = 'access-sandbox-00000000-0000-4000-8000-00000000ffff'

describe('the pipeline', () => {
  test('refuses an access token that nobody was given', async () => {
    const tenant = await service.tenant()
    const { error, response } = await tenant.api.accountsGet({ access_token: token })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({
      error_code: 'INVALID_ACCESS_TOKEN',
      request_id: expect.any(String),
    })
  })

  test('refuses a wrong secret', async () => {
    const { clientId } = await service.tenant()
    const { status, body } = await service
      .tenantOf(clientId, 'wrong')
      .post('/accounts/get', { access_token: token })
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'INVALID_API_KEYS' })
  })
})
