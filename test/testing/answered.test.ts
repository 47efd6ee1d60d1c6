import { describe, expect, expectTypeOf, test } from 'vitest'
import { errorCatalogue } from '../../generated/errors.ts'
import { type Client, type ErrorCode, ServiceError } from '../../src/index.ts'
import { type ListedCode, ok, refused } from '../../src/testing/index.ts'

const request_id = 'request00000001'

describe('an answered call', () => {
  const client: Pick<Client, 'walletList' | 'walletGet'> = {
    walletList: () => ok({ request_id, wallets: [] }),
    walletGet: () => refused('INVALID_FIELD', { operationId: 'walletGet' }),
  }

  test('resolves with its data, as that of a client does', async () => {
    const { data, error, response } = await client.walletList({})
    expect({ data, error }).toEqual({ data: { request_id, wallets: [] }, error: undefined })
    expect([response.status, await response.json()]).toEqual([200, data])
    expect(await client.walletList({}).orThrow()).toEqual(data)
  })

  test('resolves with its error, which orThrow throws', async () => {
    const call = client.walletGet({ wallet_id: 'none' })
    const { data, error, response } = await call
    expect(data).toBeUndefined()
    expect(error).toBeInstanceOf(ServiceError)
    expect(error?.message).toMatch(/^INVALID_FIELD: .* \(walletGet, HTTP 400, request00000001\)$/)
    expect(response.status).toBe(400)
    await expect(call.orThrow()).rejects.toBe(error)
    if (error) expectTypeOf(error).toEqualTypeOf<ServiceError<ErrorCode<'walletGet'>>>()
  })

  test('cannot have an error that the operation does not list', () => {
    // @ts-expect-error This error belongs to transactionsSync.
    client.walletGet = () => refused('TRANSACTIONS_SYNC_LIMIT')
  })

  test('rejects a code that no error has', () => {
    const code: string = 'NONE'
    expect(() => refused(code as ListedCode)).toThrow(new TypeError('there is no error NONE'))
  })

  test.each(Object.values(errorCatalogue).map(({ code }) => code))('has %s', async (code) => {
    const { error } = await refused(code as ListedCode, { retry_after: 7 })
    expect(error).toMatchObject({ error_code: code, error_type: expect.any(String) })
    expect(error?.retry_after).toBe(7)
  })
})
