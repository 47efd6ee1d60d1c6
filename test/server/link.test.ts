import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPublicToken } from '../../src/server/link/store.ts'
import { codeOf, createBank } from '../support/items-fixtures.ts'
import { startService, type TestService } from '../support/service.ts'
import { inContext, insertTestItem } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('itemPublicTokenExchange', () => {
  test('works once, even when it is called twice at once', async () => {
    const tenant = await service.tenant()
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
    })
    const calls = [1, 2].map(() => tenant.post('/item/public_token/exchange', { public_token }))
    const codes = (await Promise.all(calls)).map(codeOf)
    expect(codes.sort()).toEqual([200, 'INVALID_PUBLIC_TOKEN'])
    const again = await tenant.post('/item/public_token/exchange', { public_token })
    expect(codeOf(again)).toBe('INVALID_PUBLIC_TOKEN')
  })

  test("rejects another client's token, which stays usable", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
    })
    expect(public_token).toMatch(/^public-sandbox-[0-9a-f-]{36}$/)
    const foreign = await other.post('/item/public_token/exchange', { public_token })
    expect(codeOf(foreign)).toBe('INVALID_PUBLIC_TOKEN')
    const { access_token } = await tenant.control('itemPublicTokenExchange', { public_token })
    expect(access_token).toMatch(/^access-sandbox-[0-9a-f-]{36}$/)
  })

  test("takes a token for 30 minutes by the client's clock", async () => {
    const tenant = await service.tenant()
    const fresh = async () =>
      tenant.control('sandboxPublicTokenCreate', {
        institution_id: await createBank(tenant),
        initial_products: ['auth'],
      })
    const [first, second] = [await fresh(), await fresh()]
    await tenant.control('sandboxClockAdvance', { seconds: 29 * 60 })
    await tenant.control('itemPublicTokenExchange', first)
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    const late = await tenant.post('/item/public_token/exchange', second)
    expect(codeOf(late)).toBe('INVALID_PUBLIC_TOKEN')
  })

  test('is a method of the client', async () => {
    const tenant = await service.tenant()
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
    })
    const { access_token } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts).toHaveLength(6)
  })
})

describe('in production', () => {
  test('a public token is exchanged for the token of its Item', async () => {
    const settings = { environment: 'production', reportDelayMs: 0 } as const
    const production = await startService({ settings })
    const tenant = await production.tenant()
    const { access_token, item_id } = await insertTestItem(production, tenant)
    const public_token = 'public-production-6a2f4d0b-9f0b-4c44-8d0b-2f1f7f0f5c11'
    await inContext(production, tenant, (ctx) =>
      insertPublicToken(ctx, { public_token, item_id, access_token }),
    )
    const other = await production.tenant()
    const foreign = await other.post('/item/public_token/exchange', { public_token })
    expect(codeOf(foreign)).toBe('INVALID_PUBLIC_TOKEN')
    const exchanged = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    expect(exchanged).toMatchObject({ access_token, item_id })
    await production.close()
  })
})
