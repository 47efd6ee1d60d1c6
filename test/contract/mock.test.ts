import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pagination } from '#contract/client-table.ts'
import type { OperationId } from '#contract/operations.ts'
import { readCatalogue } from '../../scripts/contract/catalogue.ts'
import {
  eachExample,
  eachOperation,
  readBundle,
  versions,
} from '../../scripts/contract/contract.ts'
import { contractChecks } from '../../src/client/checks.ts'
import { type PaginatedOperationId, paginate } from '../../src/client/paginate.ts'
import { syncTransactions } from '../../src/client/sync-transactions.ts'
import { replayOf } from '../../src/conform/replay.ts'
import { type Body, jsonHeaders, type RunningMock, startMock } from '../support/mock.ts'
import { sendReplay, withoutPlace } from '../support/replay.ts'

const contract = readBundle()
const examples = eachExample(contract)
const requestOf = (operationId: string) =>
  examples.find(({ place }) => place === `${operationId} request`)?.value as Body

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

/** Calls an operation by its name, whatever the types say. */
async function call(operationId: string, body: unknown, headers: Record<string, string> = {}) {
  const client = mock.client({ validate: contractChecks({ answers: true }) })
  const method = client[operationId as OperationId] as unknown as (
    body: unknown,
    options: { headers: Record<string, string> },
  ) => Promise<{ data?: Body; error?: Body; response: Response }>
  return method(body, { headers })
}

/** Calls by path, which gives the body of an error as it is on the wire. */
async function callByPath(path: string, body: unknown, headers: Record<string, string>) {
  const init = { headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) }
  const { response, body: answer } = await mock.post(path, init)
  return { error: answer, response }
}

const operations = eachOperation(contract).map(({ path, operation }) => {
  return [operation.operationId, path] as const
})

describe.each(operations)('%s', (id, path) => {
  const requests = examples.filter(({ place }) => place === `${id} request`)
  const answers = examples.filter((example) => example.operationId === id && example.status)

  test.each(requests)('answers its example $name', async ({ value }) => {
    const { data, response } = await call(id, value)
    const bodies = answers.filter(({ status }) => status === '200').map((one) => one.value)
    expect(bodies).toContainEqual(data)
    expect(response.status).toBe(200)
  })

  test.each(answers)('answers $status $name when asked for it', async ({ status, name, value }) => {
    const code = status === 'default' ? '' : `code=${status}, `
    const headers = { Prefer: `${code}example=${name}` }
    const result: { data?: Body; error?: Body; response: Response } =
      status === '200'
        ? await call(id, requestOf(id), headers)
        : await callByPath(path, requestOf(id), headers)
    const body = (result.data ?? result.error) as Body
    expect(withoutPlace(body)).toEqual(withoutPlace(value as Body))
    if (status !== 'default') expect(result.response.status).toBe(Number(status))
    const given = result.response.headers.get('request-id')
    expect(given).toBe(body['request_id'] ?? given)
  })

  test('names the unknown field', async () => {
    const { error } = await call(id, { ...requestOf(id), surplus_field: 1 })
    const open = id.startsWith('oauth')
    expect(error?.['error_code']).toBe(open ? undefined : 'UNKNOWN_FIELDS')
    expect(String(error?.['error_message']).includes('`surplus_field`')).toBe(!open)
  })

  test('rejects without credentials', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(requestOf(id))
    const rejected = await mock.post(path, { headers, body })
    const oauth = id.startsWith('oauth')
    expect(rejected.response.status).toBe(oauth ? 401 : 400)
    expect(rejected.body['error_code'] ?? rejected.body['error']).toBe(
      oauth ? 'invalid_client' : 'MISSING_FIELDS',
    )
  })

  test.each(['{"a":', '', '[]', '"text"', 'null'])(
    'answers the malformed body %j',
    async (body) => {
      const rejected = await mock.post(path, { headers: jsonHeaders, body })
      expect(rejected.response.status).toBe(400)
      const oauth = id.startsWith('oauth')
      expect(rejected.body[oauth ? 'error' : 'error_code']).toBe(
        oauth ? 'invalid_request' : 'INVALID_BODY',
      )
    },
  )
})

describe('an answer fits its request', () => {
  const fitting = {
    identityGetRequestOneAccount: 'identityGetResponseOneAccount',
    liabilitiesGetRequestOneAccount: 'liabilitiesGetResponseOneAccount',
    institutionsSearchRequestMetadata: 'institutionsSearchResponseMetadata',
    transactionsSyncRequestFromStart: 'transactionsSyncResponse',
    transactionsSyncRequestNow: 'transactionsSyncResponseNow',
    walletCreateRequestEuro: 'walletCreateResponseEuro',
    bankTransferEventSyncRequest: 'bankTransferEventSyncResponse',
    bankTransferEventSyncRequestCaughtUp: 'bankTransferEventSyncResponseCaughtUp',
  }
  const named = (name: string) => examples.find((example) => example.name === name)

  test.each(Object.entries(fitting))('to %s', async (request, response) => {
    const { operationId = '', value } = named(request)!
    const { data } = await call(operationId, value)
    expect(data).toEqual(named(response)?.value)
  })

  test('by the days it asks for', async () => {
    const { value } = named('transactionsGetRequest')!
    const page = named('transactionsGetResponsePage')?.value as { transactions: { date: string }[] }
    const dates = page.transactions.map(({ date }) => date).sort()
    const days = { start_date: dates[0], end_date: dates.at(-1) }
    const { data } = await call('transactionsGet', { ...(value as Body), ...days })
    expect(data).toEqual(page)
  })
})

describe('a list ends', () => {
  test.each(Object.keys(pagination) as PaginatedOperationId[])('of %s', async (id) => {
    const client = mock.client() as never
    let pages = 0
    for await (const _ of paginate(client, id, requestOf(id) as never).pages()) {
      pages += 1
      if (pages > 5) break
    }
    expect(pages).toBeLessThanOrEqual(3)
  })

  test('of changes, page by page and then with nothing new', async () => {
    const access_token = 'access-sandbox-00000000-0000-4000-8000-000000000001'
    const first = await syncTransactions(mock.client(), { access_token })
    expect([first.added.length, first.modified.length, first.removed.length]).toEqual([4, 1, 2])
    const next = await syncTransactions(mock.client(), { access_token, cursor: first.cursor })
    expect([next.added, next.cursor]).toEqual([[], first.cursor])
  })
})

describe('the header Prefer', () => {
  const body = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }
  const ask = (preference: string) => call('accountsGet', body, { Prefer: preference })
  const applied = async (preference: string) =>
    (await ask(preference)).response.headers.get('preference-applied')

  test('is answered with what was applied', async () => {
    const name = 'accountsGetResponseVerified'
    expect(await applied(`example=${name}`)).toBe(`example=${name}`)
    expect(await applied('Code=400; example="INVALID_ACCESS_TOKEN", delay=1')).toBe(
      'code=400, example=INVALID_INPUT.INVALID_ACCESS_TOKEN.400, delay=1',
    )
    expect(await applied('example=NOT_FOUND')).toBe('example=NOT_FOUND')
    expect(await applied('example=NO_ACCOUNTS')).toBe('example=NO_ACCOUNTS')
    const { response } = await call('accountsGet', body)
    expect(response.headers.get('preference-applied')).toBe(null)
  })

  test('is rejected where it has a preference that the mock does not know', async () => {
    const { error } = await ask('exmaple=accountsGetResponseVerified')
    expect(error).toMatchObject({ error_code: 'INVALID_HEADERS' })
    expect(error?.['error_message']).toContain('`code`, `example`, `delay`')
  })
})

test('the sandbox API is said to be in the service', async () => {
  const path = '/sandbox/item/reset_login'
  const { response, body } = await mock.post(path, { headers: jsonHeaders, body: '{}' })
  expect(response.status).toBe(404)
  expect(body['error_message']).toContain('starts the service')
})

describe('the error catalogue', () => {
  const replayed = Object.entries(readCatalogue()).flatMap(([key, entry]) => {
    const replay = replayOf(entry)
    return replay && !replay.service ? [{ key, entry, replay }] : []
  })

  test('has requests to replay', () => {
    expect(replayed.length).toBeGreaterThan(10)
  })

  test.each(replayed)('$key is what its request gets', async ({ entry, replay }) => {
    const send = (path: string, init: RequestInit) =>
      fetch(mock.url + path, { method: 'POST', ...init })
    const { status, headers, body } = await sendReplay(replay, send)
    expect(withoutPlace(body)).toEqual(withoutPlace(entry.value))
    expect(status).toBe(entry['x-status'])
    expect(headers.get('request-id')).toBe(body['request_id'])
  })
})

describe('requests', () => {
  const accountsGet = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }
  const post = (init: RequestInit) => mock.post('/accounts/get', init)

  test('get the first error, in the order of the interface', async () => {
    const bad = { surplus: 1, options: { account_ids: 5 } }
    const wrongVersion = { ...jsonHeaders, 'Service-Version': '2011-01-01' }
    const code = async (headers: Record<string, string>, body: string) =>
      (await post({ headers, body })).body['error_code']
    expect(await code(wrongVersion, '{')).toBe('INVALID_HEADERS')
    const stranger = { ...jsonHeaders, 'SERVICE-SECRET': 'wrong' }
    expect(await code(stranger, '{')).toBe('INVALID_API_KEYS')
    expect(await code(jsonHeaders, '{')).toBe('INVALID_BODY')
    expect(await code(jsonHeaders, JSON.stringify(bad))).toBe('UNKNOWN_FIELDS')
    const { surplus: _, ...missing } = bad
    expect(await code(jsonHeaders, JSON.stringify(missing))).toBe('MISSING_FIELDS')
    const malformed = { ...missing, access_token: 'no-token' }
    expect(await code(jsonHeaders, JSON.stringify(malformed))).toBe('INVALID_FIELD')
    expect(await code(jsonHeaders, '{"access_token":"no-token"}')).toBe('INVALID_ACCESS_TOKEN')
  })

  test('have their body read first where credentials may stand in it', async () => {
    const code = async (headers: Record<string, string>, body: object | string) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return (await post({ headers, body: text })).body['error_code']
    }
    const anonymous = { 'Content-Type': 'application/json' }
    const half = { ...anonymous, 'SERVICE-CLIENT-ID': 'sandbox-client' }
    const stranger = { client_id: 'sandbox-client', secret: 'wrong', surplus: 1 }
    expect(await code({ ...anonymous, 'Service-Version': '2011-01-01' }, '{')).toBe('INVALID_BODY')
    expect(await code(half, '{')).toBe('INVALID_BODY')
    const wrongVersion = { ...anonymous, 'Service-Version': '2011-01-01' }
    expect(await code(wrongVersion, stranger)).toBe('INVALID_HEADERS')
    expect(await code(anonymous, { surplus: 1, options: 5 })).toBe('MISSING_FIELDS')
    expect(await code(anonymous, stranger)).toBe('INVALID_API_KEYS')
    expect(await code(half, stranger)).toBe('INVALID_API_KEYS')
    expect(await code(half, { secret: 'sandbox-secret', surplus: 1 })).toBe('UNKNOWN_FIELDS')
  })

  test('may carry the credentials in the body, or one part in a header', async () => {
    const headers = { 'Content-Type': 'application/json', 'service-client-id': 'sandbox-client' }
    const body = { ...accountsGet, secret: 'sandbox-secret' }
    const { response } = await post({ headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
  })

  test('with two different secrets are rejected', async () => {
    const body = JSON.stringify({ ...accountsGet, secret: 'another' })
    const rejected = await post({ headers: jsonHeaders, body })
    expect(rejected.body['error_code']).toBe('INVALID_API_KEYS')
  })

  test('with a malformed credential in the body name it', async () => {
    const body = JSON.stringify({ ...accountsGet, secret: 5 })
    const rejected = await post({ headers: jsonHeaders, body })
    expect(rejected.body).toMatchObject({ error_code: 'INVALID_FIELD' })
    expect(rejected.body['error_message']).toContain('`secret`')
  })

  test('of another method are answered 405, and name POST', async () => {
    for (const method of ['GET', 'OPTIONS', 'DELETE']) {
      const answer = await fetch(`${mock.url}/accounts/get?x=1`, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      const body = (await answer.json()) as Body
      expect(body['error_code']).toBe('METHOD_NOT_ALLOWED')
      expect(body['error_message']).toBe(`\`/accounts/get\` takes POST, not ${method}`)
    }
  })

  test.each([
    ['/accounts/get/', '/accounts/get'],
    ['/account/get', '/accounts/get'],
    ['/Accounts/Get', '/accounts/get'],
    ['/v1/accounts/get', '/accounts/get'],
    ['/2020-09-14/transactions/sync/', '/transactions/sync'],
    ['/api/institutions/search', '/institutions/search'],
    ['/nowhere', undefined],
    ['/items', '/item/remove'],
    ['/wallets', '/wallet/create'],
    ['/transactions/list', '/transactions/sync'],
    ['/accounts/get%', undefined],
    // Of a path that is far too long nothing is guessed.
    [`/${'x'.repeat(100)}/accounts/get`, undefined],
    [`/${'a/'.repeat(100)}accounts/get`, undefined],
  ])('of the unknown path %s are answered 404, and told %s', async (path, meant) => {
    const { response, body } = await mock.post(path, { headers: jsonHeaders, body: '{}' })
    expect([response.status, response.headers.get('allow')]).toEqual([404, null])
    const message = String(body['error_message'])
    expect(message).toMatch(/at this path; (did you mean|similar paths: |check the base URL)/)
    expect(message.match(/`([^`]+)`/)?.[1]).toBe(meant)
    expect(message).not.toContain('/sandbox/')
    expect(body['request_id']).toBeTruthy()
  })

  test('are told of all faults at once, with the code of the first stage', async () => {
    const body = { acess_token: 'x', options: { account_ids: 5 } }
    const rejected = await post({ headers: jsonHeaders, body: JSON.stringify(body) })
    expect(rejected.body['error_code']).toBe('UNKNOWN_FIELDS')
    expect(rejected.body['error_message']).toBe(
      'unknown fields: `acess_token` (did you mean `access_token`, which must be an access token, ' +
        'which starts with "access-" and the environment?); ' +
        'missing fields: `access_token`; `options.account_ids` must be an array',
    )
  })

  test('from a browser elsewhere are let in', async () => {
    const preflight = await fetch(`${mock.url}/accounts/get`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'service-client-id, content-type',
      },
    })
    expect(preflight.ok).toBe(true)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('service-client-id')
  })

  test('can ask for a delay', async () => {
    const start = performance.now()
    const headers = { ...jsonHeaders, Prefer: 'delay=300' }
    await post({ headers, body: JSON.stringify(accountsGet) })
    expect(performance.now() - start).toBeGreaterThanOrEqual(295)
  })

  test('can name an error by its bare code', async () => {
    const headers = { ...jsonHeaders, Prefer: 'code=400, example=INVALID_ACCESS_TOKEN' }
    const { response, body } = await post({ headers, body: JSON.stringify(accountsGet) })
    expect(response.status).toBe(400)
    expect(body['error_code']).toBe('INVALID_ACCESS_TOKEN')
  })

  test.each(['example=NOTHING', 'code=418', 'delay=-1', 'code=default'])(
    'that prefer %s get the list of examples',
    async (wish) => {
      const headers = { ...jsonHeaders, Prefer: wish }
      const { body } = await post({ headers, body: JSON.stringify(accountsGet) })
      expect(body['error_code']).toBe('INVALID_HEADERS')
    },
  )
})

describe.each(versions)('version %s', (version) => {
  const bundle = readBundle(version)
  const bodies = eachExample(bundle).filter(({ place, mediaType }) => {
    return place.endsWith(' request') && mediaType === 'application/json'
  })

  test.each(bodies)('answers $name', async ({ operationId, name, value }) => {
    const path = eachOperation(bundle).find(
      (one) => one.operation.operationId === operationId,
    )!.path
    const withKey = 'public_key' in (value as Body)
    const headers = { ...(withKey ? { 'Content-Type': 'application/json' } : jsonHeaders) }
    const { response, body } = await mock.post(path, {
      headers: { ...headers, 'Service-Version': version },
      body: JSON.stringify(value),
    })
    const answers = eachExample(bundle).filter((one) => one.operationId === operationId)
    const bodies = answers.filter(({ status }) => status === '200').map((one) => one.value)
    expect(bodies, name).toContainEqual(body)
    expect(response.status).toBe(200)
  })
})
