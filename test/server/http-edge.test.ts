import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant

beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
})
afterAll(() => service.close())

describe('a path that leads to no file of the docs', () => {
  test.each(['/docs/%00', '/docs/..%2f..%2fpackage.json', '/docs//', `/docs/${'a'.repeat(5000)}`])(
    'is not found: %s',
    async (url) => {
      const answer = await service.app.inject({ method: 'GET', url })
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        expect.objectContaining({ error_code: 'NOT_FOUND' }),
      ])
    },
  )
})

describe('a malformed Content-Type', () => {
  test.each(['/oauth/token', '/oauth/revoke'])('is invalid_request at %s', async (path) => {
    const { status, body } = await tenant.post(path, '{}', { 'Content-Type': ';' })
    expect([status, Object.keys(body)]).toEqual([
      400,
      ['error', 'error_description', 'error_uri', 'request_id'],
    ])
    expect(body['error']).toBe('invalid_request')
  })

  test('is INVALID_BODY at every other operation', async () => {
    const { status, body } = await tenant.post('/wallet/list', '{}', { 'Content-Type': ';' })
    expect([status, body['error_code']]).toEqual([400, 'INVALID_BODY'])
  })
})
