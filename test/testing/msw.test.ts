import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answers, errors } from '#contract/examples.ts'
import { operations } from '#contract/operations.ts'
import { contractChecks } from '../../src/client/checks.ts'
import { syncTransactions } from '../../src/client/sync-transactions.ts'
import { createClient, type OperationId } from '../../src/index.ts'
import { createMock } from '../../src/testing/msw.ts'

const baseUrl = 'http://service.example.com'
const mock = createMock({ baseUrl })
const server = setupServer(...mock.handlers)
const client = createClient({ baseUrl, validate: contractChecks({ answers: true }), retries: 0 })
const ready = { access_token: 'access-sandbox-1' }

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

type Call = (body: object) => Promise<{ data?: object; error?: { error_code: string } }>
const call = (id: string, body: object) => (client as unknown as Record<string, Call>)[id]!(body)

const operationIds = Object.keys(operations) as OperationId[]

describe('the handlers', () => {
  test.each(operationIds)('answer %s with an example that fits the contract', async (id) => {
    const { data, error } = await call(id, {})
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/) })
  })

  test('end every list, and find what a request names', async () => {
    const { added, cursor } = await syncTransactions(client, ready)
    expect([added.length, cursor.length > 0]).toEqual([4, true])
    const { data } = await client.walletCreate({ iso_currency_code: 'EUR' } as never)
    expect(data?.balance.iso_currency_code).toBe('EUR')
  })

  test.each(operationIds)('answer every error that %s lists', async (id) => {
    const codes = answers[id]!.errors.map((key) => {
      const body = errors[key]!.body as { error_code?: string; error?: string }
      return body.error_code ?? body.error ?? ''
    })
    for (const code of codes) {
      server.use(mock[id].error(code as never))
      expect((await call(id, {})).error?.error_code).toBe(code)
    }
  })

  test('give each answer an id of its own', async () => {
    const [one, two] = [await client.accountsGet(ready), await client.accountsGet(ready)]
    expect(one.data?.request_id).not.toBe(two.data?.request_id)
    expect(one.response.headers.get('Request-Id')).toBe(one.data?.request_id)
  })
})

describe('a handler of your own', () => {
  test('answers an error with its status and headers', async () => {
    server.use(mock.accountsGet.error('ACCOUNTS_LIMIT'))
    const { error, response } = await client.accountsGet(ready)
    expect(error?.error_code).toBe('ACCOUNTS_LIMIT')
    expect(response.status).toBe(429)
    expect(error?.retry_after).toBe(12)
  })

  test('answers once when that is all it is for', async () => {
    server.use(mock.accountsGet.error('INVALID_ACCESS_TOKEN', { once: true }))
    expect((await client.accountsGet(ready)).error?.error_code).toBe('INVALID_ACCESS_TOKEN')
    expect((await client.accountsGet(ready)).error).toBeUndefined()
  })

  test('answers other fields, also such as follow from the request', async () => {
    server.use(mock.walletList.answer({ wallets: [] }))
    expect((await client.walletList({})).data?.wallets).toEqual([])
    server.use(mock.walletGet.answer(({ wallet_id }) => ({ wallet_id })))
    const wallet_id = 'wallet-id-sandbox-0'
    expect((await client.walletGet({ wallet_id })).data?.wallet_id).toBe(wallet_id)
  })

  test('answers the request_id that it is given', async () => {
    const request_id = 'CHOSENBYATEST01'
    server.use(mock.walletList.answer({ request_id }))
    const { data, response } = await client.walletList({})
    expect(data?.request_id).toBe(request_id)
    expect(response.headers.get('Request-Id')).toBe(request_id)
  })

  test('answers another example by its name', async () => {
    const example = 'accountsGetResponseVerified'
    server.use(mock.accountsGet.answer({}, { example }))
    const { data } = await client.accountsGet(ready)
    expect(data?.accounts).toEqual(
      (answers['accountsGet']!.answers[example] as { accounts: unknown }).accounts,
    )
  })

  test('reads the form of the token operations', async () => {
    server.use(mock.oauthToken.answer((body) => ({ refresh_token: `after ${body.refresh_token}` })))
    const { data } = await client.oauthToken({
      grant_type: 'refresh_token',
      refresh_token: 'svr-1',
    })
    expect(data?.refresh_token).toBe('after svr-1')
  })

  test('is for what the operation can answer', () => {
    // @ts-expect-error: reading accounts never fails in this way.
    expect(() => mock.accountsGet.error('WALLET_NOT_FOUND')).toThrow('accountsGet does not answer')
    // @ts-expect-error: an answer has no such field.
    mock.walletList.answer({ purses: [] })
    expect(() => mock.accountsGet.answer({}, { example: 'other' })).toThrow('has no example other')
  })
})
