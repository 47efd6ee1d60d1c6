import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { FaultyField } from '#contract/types.ts'
import { errorCatalogue } from '../../generated/errors.ts'
import { adviceFor } from '../../src/client/advice.ts'
import { AnswerError, createClient, type ErrorCode, ServiceError } from '../../src/index.ts'
import { recorder, rejection } from '../support/recorder.ts'
import { startWorld, type TestService } from '../support/service.ts'

const baseUrl = 'http://service.example'

let service: TestService
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  const world = await startWorld()
  client = world.client.api
  service = world
})
afterAll(() => service.close())

describe('an error', () => {
  test('has its fields first-class', async () => {
    const { error } = await client.walletGet({ wallet_id: 'none' })
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toBeInstanceOf(Error)
    expect({ ...error }).toEqual({
      name: 'ServiceError',
      operationId: 'walletGet',
      status: 400,
      error_type: 'INVALID_REQUEST',
      error_code: 'INVALID_FIELD',
      error_message: expect.stringContaining('`wallet_id`'),
      display_message: null,
      suggested_action: expect.any(String),
      documentation_url: expect.stringContaining('/docs/errors'),
      fields: [{ field: 'wallet_id', message: expect.any(String) }],
      request_id: expect.stringMatching(/^\w{15}$/),
    })
    expectTypeOf(error?.fields).toEqualTypeOf<FaultyField[] | undefined>()
  })

  test('is what orThrow throws', async () => {
    const call = client.walletGet({ wallet_id: 'none' })
    const thrown = await call.orThrow().catch((error: unknown) => error)
    expect(thrown).toBe((await call).error)
  })

  test('says in its message and its stack where it comes from', async () => {
    async function myOwnFunction() {
      return await client.walletGet({ wallet_id: 'none' }).orThrow()
    }
    const error: Error = await myOwnFunction().catch((error) => error)
    expect(error.message).toMatch(/^INVALID_FIELD: .* \(walletGet, HTTP 400, \w{15}\)$/)
    expect(error.stack).toContain('myOwnFunction')
  })

  test('of a token operation has the same form', async () => {
    const { error } = await client.oauthToken({
      grant_type: 'refresh_token',
      refresh_token: 'never issued',
    })
    expect(error).toMatchObject({
      error_type: 'OAUTH',
      error_code: 'invalid_grant',
      error_message: expect.stringContaining('`refresh_token`'),
      documentation_url: expect.stringContaining('#invalid_grant'),
      request_id: expect.any(String),
      status: 400,
    })
  })

  test('of a token operation that is not about OAuth is read as well', async () => {
    const { fetch } = recorder(rejection(429, 'RATE_LIMIT', { 'Retry-After': '7' }))
    const { error } = await createClient({ baseUrl, fetch }).oauthToken(
      { grant_type: 'client_credentials' },
      { retries: 0 },
    )
    expect(error).toMatchObject({ error_code: 'RATE_LIMIT', retry_after: 7 })
  })

  test('with a code that is new can be read', async () => {
    const { fetch } = recorder(rejection(400, 'INVENTED_TOMORROW'))
    const { error } = await createClient({ baseUrl, fetch }).walletGet({ wallet_id: 'w' })
    const seen: string[] = []
    switch (error?.error_code) {
      case 'INVALID_FIELD':
        break
      default:
        if (error) seen.push(error.error_code)
    }
    expect(seen).toEqual(['INVENTED_TOMORROW'])
  })

  test.each([
    { message: 'forbidden' },
    { statusCode: 403, error: 'Forbidden', message: 'no' },
    { error: 'unauthorized', error_description: 'no' },
    { error_code: 7, request_id: 'gateway' },
  ])('of a gateway that answers JSON is not taken for the service: %j', async (body) => {
    const { fetch } = recorder(Response.json(body, { status: 403 }))
    const call = createClient({ baseUrl, fetch }).walletGet({ wallet_id: 'w' })
    await expect(call).rejects.toBeInstanceOf(AnswerError)
    await expect(call.orThrow()).rejects.toMatchObject({ operationId: 'walletGet', status: 403 })
  })

  test('is not made of a redirect, which would take the credentials elsewhere', async () => {
    const headers = { Location: 'http://elsewhere.example/' }
    const { fetch, requests } = recorder(new Response(null, { status: 307, headers }))
    const call = createClient({ baseUrl, fetch }).walletGet({ wallet_id: 'w' })
    await expect(call).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', status: 307 })
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual'])
  })
})

describe('the types of an error', () => {
  test('narrow the code to what the operation can return', async () => {
    const { error } = await client.institutionsSearch({ query: 'none', country_codes: ['US'] })
    expect(error).toBeUndefined()
    const known = (code: NonNullable<typeof error>['error_code']) => code
    // @ts-expect-error no operation has this code
    expect(known('INVALID_FEILD')).toBeTruthy()
    // @ts-expect-error another operation has this code
    expect(known('TRANSACTIONS_SYNC_LIMIT')).toBeTruthy()
    // @ts-expect-error so a misspelt comparison does not compile
    expect(error?.error_code === 'INCOMPATIBLE_API_VERSON').toBe(false)
    expect(error?.error_code === 'INCOMPATIBLE_API_VERSION').toBe(false)
  })

  test('take the code of an error as the code of its operation', async () => {
    const { error } = await client.walletGet({ wallet_id: 'none' })
    const take = (code: ErrorCode<'walletGet'>) => code
    // @ts-expect-error another operation has this code
    expect(take('TRANSACTIONS_SYNC_LIMIT')).toBeTruthy()
    expect(error && take(error.error_code)).toBe('INVALID_FIELD')
  })

  test('name the codes of all operations for a caught error', async () => {
    const call = client.walletGet({ wallet_id: 'none' })
    const caught: unknown = await call.orThrow().catch((error: unknown) => error)
    if (!(caught instanceof ServiceError)) throw caught
    // @ts-expect-error no operation has this code
    expect(caught.error_code === 'INVALID_FEILD').toBe(false)
    expect(caught.error_code === 'INVALID_FIELD').toBe(true)
  })

  test('keep the codes of an operation through `instanceof`', async () => {
    const { error } = await client.walletGet({ wallet_id: 'none' })
    if (!(error instanceof ServiceError)) throw error
    expectTypeOf(error.error_code).toEqualTypeOf<ErrorCode<'walletGet'>>()
  })

  test('let the code go wherever a string goes', async () => {
    const { error } = await client.walletGet({ wallet_id: 'none' })
    if (error) expectTypeOf(error.error_code).toExtend<string>()
    if (error) expectTypeOf(error).toExtend<ServiceError>()
    expectTypeOf<ServiceError['error_code']>().toEqualTypeOf<string>()
    expect(error?.error_code.toLowerCase()).toBe('invalid_field')
  })
})

describe('advice', () => {
  test('is what the catalogue says of the error', async () => {
    const { error } = await client.walletGet({ wallet_id: 'none' })
    const { meaning, action, retry } = errorCatalogue.INVALID_FIELD
    expect(error && adviceFor(error)).toEqual({ meaning, action, retry })
  })

  test('tells two statuses of a code apart', () => {
    const code = { error_type: 'INVALID_REQUEST', error_code: 'INVALID_BODY' }
    const [small, large] = [
      adviceFor({ ...code, status: 400 }),
      adviceFor({ ...code, status: 413 }),
    ]
    expect(small?.action).not.toBe(large?.action)
    expect(adviceFor(code)).toBeDefined()
  })

  test.each(Object.values(errorCatalogue))('knows $type $code $status', (entry) => {
    const { type: error_type, code: error_code, status, action } = entry
    expect(adviceFor({ error_type, error_code, status })?.action).toBe(action)
  })

  test('is not made up for a code that is new', () => {
    expect(adviceFor({ error_type: 'API_ERROR', error_code: 'NEW' })).toBeUndefined()
  })
})
