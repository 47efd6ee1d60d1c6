import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonHeaders, type RunningMock, startMock } from '../support/mock.ts'

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

describe('a bearer token', () => {
  const get = (authorization: string, body: object, headers: Record<string, string> = {}) =>
    mock.post('/asset_report/get', {
      headers: { ...jsonHeaders, ...headers, Authorization: authorization },
      body: JSON.stringify(body),
    })
  const bearer = 'Bearer sva-H0D8ktokFpR1CXnubPWC8t=='

  test('stands in for the user token', async () => {
    const { response, body } = await get(bearer, {})
    expect(response.status).toBe(200)
    expect(body['report']).toBeTruthy()
  })

  test('can lack the scope', async () => {
    const { response, body } = await get(bearer, {}, { Prefer: 'code=403' })
    expect(response.status).toBe(403)
    expect(body['error_code']).toBe('UNAUTHORIZED_ROUTE_ACCESS')
  })

  test.each(['Bearer unknown', 'Bearer', 'Bearer two words'])(
    '%s is challenged',
    async (header) => {
      const { response, body } = await get(header, {})
      expect(response.status).toBe(401)
      expect(body['error_code']).toBe('INVALID_ACCESS_TOKEN')
      expect(response.headers.get('www-authenticate')).toContain('invalid_token')
    },
  )

  test('makes good a missing token only', async () => {
    const both = { asset_report_token: 'assets-sandbox-1', user_token: 'user-sandbox-1' }
    const { body } = await get(bearer, both)
    expect(body['error_code']).toBe('INVALID_FIELD')
    expect((await get('', {})).body['error_code']).toBe('MISSING_FIELDS')
  })
})

describe('what no schema can say', () => {
  const token = 'access-sandbox-00000000-0000-4000-8000-000000000001'
  const account = { account_number: '4821000123', account_type: 'checking' }

  test.each([
    ['/transfer/migrate_account', { ...account, routing_number: '123456789' }, 'routing_number'],
    [
      '/transactions/get',
      { access_token: token, start_date: '2026-03-02', end_date: '2026-03-01' },
      'start_date',
    ],
    [
      '/transactions/sync',
      { access_token: token, account_id: 'a', options: { account_id: 'b' } },
      'options.account_id',
    ],
    [
      '/protect/event/send',
      { event: { timestamp: '2999-01-01T00:00:00Z', app_visit: {} } },
      'event.timestamp',
    ],
  ])('%s %j is rejected', async (path, body, field) => {
    const rejected = await mock.post(path, { headers: jsonHeaders, body: JSON.stringify(body) })
    expect(rejected.body['error_code']).toBe('INVALID_FIELD')
    expect(rejected.body['error_message']).toContain(`\`${field}\``)
  })

  test('an exchange for another client is rejected where only one is right', async () => {
    const body = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: 'sandbox-partner',
      subject_token: 'user-sandbox-1',
      subject_token_type: 'urn:service:params:tokens:user',
    }
    const rejected = await mock.post('/oauth/token', {
      headers: jsonHeaders,
      body: JSON.stringify(body),
    })
    expect(rejected.body['error']).toBe('invalid_request')
  })
})

describe('token operations', () => {
  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    mock.post('/oauth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const client = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' }
  const grant = { grant_type: 'client_credentials' }

  test('take a form', async () => {
    expect((await form({ ...client, ...grant })).response.status).toBe(200)
  })

  test('take HTTP Basic', async () => {
    const basic = Buffer.from('sandbox-client:sandbox-secret').toString('base64')
    const { response } = await form(grant, { Authorization: `Basic ${basic}` })
    expect(response.status).toBe(200)
  })

  test('challenge an unknown client', async () => {
    const { response, body } = await form({ ...client, client_secret: 'wrong', ...grant })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBeTruthy()
    expect(body['error']).toBe('invalid_client')
  })

  test.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ ...grant, scope: 'everything' }, 'invalid_scope'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ scope: 'user:read' }, 'invalid_request'],
  ])('reject %j with %s', async (fields, code) => {
    const { body } = await form({ ...client, ...(fields as Record<string, string>) })
    expect(body['error']).toBe(code)
  })

  test.each([{ client_secret: '' }, { client_id: '' }])(
    'take %j for no credentials',
    async (empty) => {
      const { response, body } = await form({ ...client, ...grant, ...empty })
      expect(response.status).toBe(401)
      expect(body['error']).toBe('invalid_client')
    },
  )

  test('answer 401 with its own code when asked for the status only', async () => {
    const { body } = await form({ ...client, ...grant }, { Prefer: 'code=401' })
    expect(body['error']).toBe('invalid_client')
  })

  test('reject a preference that no example fits, with an error of their own', async () => {
    const { body } = await form({ ...client, ...grant }, { Prefer: 'code=418' })
    expect(body['error']).toBe('invalid_request')
  })

  test('reject a repeated parameter', async () => {
    const body = 'grant_type=client_credentials&grant_type=client_credentials'
    const headers = {
      ...jsonHeaders,
      'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8',
    }
    const rejected = await mock.post('/oauth/token', { headers, body })
    expect(rejected.body['error']).toBe('invalid_request')
  })
})
