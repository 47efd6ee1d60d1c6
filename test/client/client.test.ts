import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import {
  type Account,
  AnswerError,
  ContractError,
  createClient,
  type Result,
} from '../../src/index.ts'
import { credentials, type RunningMock, startMock } from '../support/mock.ts'

const accessToken = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

/** A `fetch` that keeps the last request and answers `body`. */
function recorder(body: unknown = {}, status = 200) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    return Response.json(body, { status })
  }
  return { requests, fetch }
}

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
    expectTypeOf(result).toEqualTypeOf<Result<'transactionsSync'>>()
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
    await client.itemRemove(accessToken, { version: '2018-05-22', headers: { 'X-Trace': 'abc' } })
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
    const client = createClient({ baseUrl: 'http://service.example', fetch })
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
    const client = createClient({ baseUrl: 'http://service.example', fetch })
    await expect(client.accountsGet(accessToken)).rejects.toThrow('fetch failed')
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
    const client = createClient({ baseUrl: 'http://service.example', fetch })
    const call = client.accountsGet(accessToken)
    await expect(call).rejects.toBeInstanceOf(AnswerError)
    await expect(call).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', response: { status } })
  })

  test('leaves out what is undefined in a form', async () => {
    const { requests, fetch } = recorder()
    const client = createClient({ baseUrl: 'http://service.example', fetch })
    const scope = undefined as unknown as string
    await client.oauthToken({ grant_type: 'client_credentials', scope })
    expect(await requests[0]?.text()).toBe('grant_type=client_credentials')
  })

  test('can be made by path', async () => {
    const { data } = await mock.client().raw.POST('/accounts/get', { body: accessToken })
    expect(data?.item.item_id).toBeTruthy()
  })
})

describe('checks', () => {
  test('refuse a request before it is sent, without its values', async () => {
    const { requests, fetch } = recorder()
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: { requests: true } })
    const call = client.walletGet({ wallet_id: 5 as never })
    await expect(call).rejects.toBeInstanceOf(ContractError)
    await expect(call).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      operationId: 'walletGet',
      issues: [{ path: 'wallet_id', code: 'INVALID_FIELD', message: 'must be a string' }],
    })
    expect(requests).toHaveLength(0)
  })

  test('refuse an answer that lacks something', async () => {
    const { fetch } = recorder({ wallets: [{}] })
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: { answers: true } })
    await expect(client.walletList({})).rejects.toThrow('wallets[0].wallet_id is required')
  })

  test('let new fields and enum values pass', async () => {
    const { data } = await mock.client().walletGet({ wallet_id: 'wallet' })
    const { fetch } = recorder({ ...data, status: 'FROZEN', colour: 'green' })
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: { answers: true } })
    const result = await client.walletGet({ wallet_id: 'wallet' })
    expect(result.data).toMatchObject({ status: 'FROZEN', colour: 'green' })
  })

  test('hold an answer against the version that was asked for', async () => {
    const client = mock.client({ validate: { answers: true } })
    const { data } = await client.itemRemove(accessToken, { version: '2019-05-29' })
    expect(data).toMatchObject({ removed: true })
  })
})
