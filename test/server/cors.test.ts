import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const sandbox = { settings: { environment: 'sandbox', reportDelayMs: 0 } } as const
const production = { settings: { environment: 'production', reportDelayMs: 0 } } as const
const named = { callers: { origins: ['https://lender.example.com', 'https://b.example.com'] } }
const own = { publicUrl: () => 'https://api.example.com/finance' }

const lender = 'https://lender.example.com'

describe('a page of another origin', () => {
  test.each([
    ['may not call the sandbox', sandbox, lender, false],
    ['may call the sandbox if it was named', { ...sandbox, ...named }, lender, true],
    ['may not call production', production, lender, false],
    ['may call production if it was named', { ...production, ...named }, lender, true],
    ['may be one of several', { ...production, ...named }, 'https://b.example.com', true],
    ['may not call if another was named', { ...sandbox, ...named }, 'https://c.example.com', false],
    ['may call the sandbox from localhost', sandbox, 'http://localhost:5173', true],
    ['may call it from below localhost', sandbox, 'https://app.localhost', true],
    ['may call it from any loopback address', sandbox, 'http://127.8.9.10:3000', true],
    ['may call it from loopback of IPv6', sandbox, 'http://[::1]:3000', true],
    [
      'may call it from there though others were named',
      { ...sandbox, ...named },
      'http://[::1]',
      true,
    ],
    ['may not call production from localhost', production, 'http://localhost:5173', false],
    ['may not pass for localhost', sandbox, 'http://localhost.example.com', false],
    ['may not pass for loopback', sandbox, 'http://127.0.0.1.example.com', false],
    ['may not hide it in a user name', sandbox, 'http://localhost@example.com', false],
    ['may not be of no origin', sandbox, 'null', false],
    ['may not be of the private network', sandbox, 'http://192.168.1.4', false],
    ['may not be an extension', sandbox, 'chrome-extension://abcdef', false],
    ['is of the service by PUBLIC_URL', { ...production, ...own }, 'https://api.example.com', true],
  ])('%s', async (_, parts, origin, isAllowed) => {
    const service = await startService(parts)
    const tenant = await service.tenant()
    const { statusCode, headers } = await service.app.inject({
      method: 'OPTIONS',
      url: '/accounts/get',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
    const simple = { Origin: origin, 'Content-Type': 'application/json' }
    const called = await tenant.post('/wallet/list', {}, simple)
    await service.close()
    expect([statusCode, headers['access-control-allow-origin'], called.status]).toEqual(
      isAllowed ? [204, origin, 200] : [400, undefined, 400],
    )
    expect(called.headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null)
  })

  test('gets a request id, in the form of the operation', async () => {
    const service = await startService(sandbox)
    const tenant = await service.tenant()
    const page = { Origin: lender }
    const usual = await tenant.post('/wallet/list', {}, page)
    const oauth = await tenant.post('/oauth/token', { grant_type: 'client_credentials' }, page)
    await service.close()
    const message = expect.stringContaining('CORS_ORIGIN')
    expect(usual.body).toMatchObject({ error_code: 'INVALID_HEADERS', error_message: message })
    expect(oauth.body).toMatchObject({ error: 'invalid_request', error_description: message })
  })
})

test('a page of the service itself may call it, under each of its hosts', async () => {
  const service = await startService(production)
  const tenant = await service.tenant()
  const call = (Host: string, Origin: string) => tenant.post('/wallet/list', {}, { Host, Origin })
  expect((await call('api:4000', 'http://api:4000')).status).toBe(200)
  expect((await call('api:4000', 'http://api:4001')).status).toBe(400)
  expect((await call('127.0.0.1:4000', 'http://127.0.0.1:4000')).status).toBe(200)
  await service.close()
})

test.each(['/livez', '/readyz'])(
  '%s lets in no page by a host that it does not check',
  async (url) => {
    const service = await startService({ ...sandbox, ...named })
    const ask = async (headers: Record<string, string>) => {
      const { statusCode, headers: answered } = await service.app.inject({ url, headers })
      return [statusCode, answered['access-control-allow-origin']]
    }
    const evil = { Host: 'evil.example', Origin: 'http://evil.example' }
    expect(await ask(evil)).toEqual([400, undefined])
    expect(await ask({ Host: 'evil.example' })).toEqual([200, undefined])
    expect(await ask({ ...evil, Origin: lender })).toEqual([200, lender])
    const own = { Host: 'api:4000', Origin: 'http://api:4000' }
    expect(await ask(own)).toEqual([200, 'http://api:4000'])
    await service.close()
  },
)
