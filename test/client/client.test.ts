import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import {
  type Account,
  AnswerError,
  createClient,
  type ErrorCode,
  type Result,
  type TransactionsSyncResponse,
} from '../../src/index.ts'
import { credentials, type RunningMock, startMock } from '../support/mock.ts'
import { recorder } from '../support/recorder.ts'

const accessToken = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

describe('a call', () => {
  test('resolves with typed data', async () => {
    const { data, error, response } = await mock.client().accountsGet(accessToken)
    expect(error).toBeUndefined()
    expect(response.status).toBe(200)
    expectTypeOf(data?.accounts).toEqualTypeOf<Account[] | undefined>()
    expect(data?.accounts.length).toBeGreaterThan(0)
  })

  test('resolves with a typed error, and one of the two is always there', async () => {
    const headers = { Prefer: 'code=400, example=ITEM_LOGIN_REQUIRED' }
    const result = await mock.client().transactionsSync(accessToken, { headers })
    expectTypeOf(result).toEqualTypeOf<
      Result<TransactionsSyncResponse, ErrorCode<'transactionsSync'>>
    >()
    if (result.error) expectTypeOf(result.error.request_id).toEqualTypeOf<string>()
    expect(result.error?.error_code).toBe('ITEM_LOGIN_REQUIRED')
    expect(result.data).toBeUndefined()
  })

  test('sends the credentials and the version in headers, once', async () => {
    const { requests, fetch } = recorder()
    const client = createClient({
      baseUrl: 'http://service.example',
      ...credentials,
      version: '2019-05-29',
      fetch,
    })
    await client.itemRemove(accessToken)
    await client.walletList({}, { version: '2018-05-22', headers: { 'X-Trace': 'abc' } })
    const [first, second] = requests.map(({ headers }) => headers)
    expect(first?.get('SERVICE-CLIENT-ID')).toBe(credentials.clientId)
    expect(first?.get('SERVICE-SECRET')).toBe(credentials.secret)
    expect(first?.get('Service-Version')).toBe('2019-05-29')
    expect(second?.get('Service-Version')).toBe('2018-05-22')
    expect(second?.get('X-Trace')).toBe('abc')
    expect(await requests[0]?.json()).toEqual(accessToken)
  })

  test('sends JSON, and a form where the contract has one', async () => {
    const { requests, fetch } = recorder()
    const client = createClient({ baseUrl: 'http://service.example', fetch, retries: 0 })
    await client.walletGet({ wallet_id: 'w' })
    await client.oauthToken({ grant_type: 'client_credentials', scope: 'user:read' })
    expect(requests[0]?.headers.get('Content-Type')).toBe('application/json')
    expect(requests[1]?.headers.get('Content-Type')).toContain('application/x-www-form-urlencoded')
    expect(await requests[1]?.text()).toBe('grant_type=client_credentials&scope=user%3Aread')
  })

  test('can be ended early', async () => {
    const signal = AbortSignal.timeout(50)
    const headers = { Prefer: 'delay=2000' }
    const call = mock.client().accountsGet(accessToken, { signal, headers })
    await expect(call).rejects.toThrow(/abort|timeout/i)
  })

  test('rejects when there is no answer', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    const client = createClient({ baseUrl: 'http://service.example', fetch, retries: 0 })
    await expect(client.accountsGet(accessToken)).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      cause: new TypeError('fetch failed'),
    })
  })

  test.each([
    [502, '<html>bad gateway</html>'],
    [502, ''],
    [200, '<html>welcome</html>'],
    [200, ''],
    [200, 'null'],
    [204, null],
  ])('rejects when a gateway answers %i %j', async (status, body) => {
    const fetch = async () => new Response(body, { status })
    const client = createClient({ baseUrl: 'http://service.example', fetch, retries: 0 })
    const call = client.accountsGet(accessToken)
    await expect(call).rejects.toBeInstanceOf(AnswerError)
    await expect(call).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', status })
  })

  test('sends the body as it was when the call was made', async () => {
    const { requests, fetch } = recorder()
    const client = createClient({ baseUrl: 'http://service.example', fetch, retries: 0 })
    const body = { wallet_id: '' }
    const calls = ['one', 'two'].map((wallet_id) =>
      client.walletGet(Object.assign(body, { wallet_id })),
    )
    await Promise.all(calls)
    const sent = await Promise.all(requests.map((request) => request.json()))
    expect(sent).toEqual([{ wallet_id: 'one' }, { wallet_id: 'two' }])
  })

  test('takes settings that may be undefined, as those of an environment are', async () => {
    const [timeout, retries] = [undefined, undefined]
    const { requests, fetch } = recorder()
    const client = createClient({ baseUrl: 'http://service.example', fetch, timeout, retries })
    await client.walletList({})
    expect(requests[0]?.headers.has('SERVICE-CLIENT-ID')).toBe(false)
  })

  test.each([
    ['secret', { clientId: 'me' }],
    ['clientId', { secret: 'hush' }],
    ['secret', { clientId: 'me', secret: process.env['NO_SUCH_SECRET'] }],
    ['clientId', { clientId: undefined, secret: undefined }],
    ['secret', { clientId: 'me', secret: '' }],
  ])('is not made where %s is not set: %o', (missing, found) => {
    const make = () => createClient({ baseUrl: 'http://service.example', ...found })
    expect(make).toThrow(new TypeError(`${missing} must be set: is its environment variable?`))
  })

  test('leaves out what is undefined in a form', async () => {
    const { requests, fetch } = recorder()
    const client = createClient({ baseUrl: 'http://service.example', fetch, retries: 0 })
    const scope = undefined as unknown as string
    await client.oauthToken({ grant_type: 'client_credentials', scope })
    expect(await requests[0]?.text()).toBe('grant_type=client_credentials')
  })

  test('goes through the global fetch of its moment, which test tools replace', async () => {
    const client = createClient({ baseUrl: 'http://service.example' })
    vi.stubGlobal('fetch', async () => Response.json({ wallets: [] }))
    const called = await client.walletList({})
    const { data: byPath } = await client.raw.POST('/wallet/list', { body: {} })
    vi.unstubAllGlobals()
    expect([called.data, byPath]).toEqual([{ wallets: [] }, { wallets: [] }])
  })

  test('can be made by path', async () => {
    const { data } = await mock.client().raw.POST('/accounts/get', { body: accessToken })
    expect(data?.item.item_id).toBeTruthy()
  })
})
