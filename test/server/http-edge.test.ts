import { connect } from 'node:net'
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

describe('what is no HTTP', () => {
  test('is answered by the error object, and the connection ends', async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.end('NONSENSE\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error_code: 'INVALID_HEADERS',
      request_id: expect.any(String),
    })
  })
})

describe('the headers that browsers get', () => {
  test.each([
    '/livez',
    '/nowhere',
    '/icons/a.png',
    '/docs',
    '/.well-known/oauth-authorization-server',
  ])('is not to guess the type of %s', async (url) => {
    const { headers } = await service.app.inject({ method: 'GET', url })
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('is the same of operations', async () => {
    for (const body of [{}, { unknown: 1 }]) {
      const { headers } = await tenant.post('/wallet/list', body)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('the pictures that transactions link to', () => {
  test.each(['/icons/FOOD_AND_DRINK.png', '/logos/oakmarket.png'])('%s is a PNG', async (url) => {
    const answer = await service.app.inject({ method: 'GET', url })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    expect(answer.rawPayload.readUInt32BE(16)).toBe(100)
  })

  test.each(['/icons/', '/logos/a.jpg', '/icons/..%2fa.png'])('%s is not there', async (url) => {
    const answer = await service.app.inject({ method: 'GET', url })
    expect([answer.statusCode, answer.json()['error_code']]).toEqual([404, 'NOT_FOUND'])
  })
})
