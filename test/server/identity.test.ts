import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  codeOf,
  createBank,
  link,
  linkCustom,
  webhooksOf,
} from '../support/items-fixtures.ts'
import { allFeatures, startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const webhook = 'http://127.0.0.1:9/hooks'
const ownersOf = async (tenant: Tenant, access_token: string) => {
  const { data, error } = await tenant.api.identityGet({ access_token })
  if (error) throw new Error(JSON.stringify(error))
  return Object.fromEntries(data.accounts.map(({ subtype, owners }) => [subtype, owners]))
}

describe('identityGet', () => {
  test('shows every account with complete owners', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const owners = await ownersOf(tenant, access_token)
    expect(Object.keys(owners)).toHaveLength(6)
    expect(owners['checking']?.[0]).toMatchObject({
      names: [expect.any(String)],
      phone_numbers: expect.arrayContaining([expect.objectContaining({ primary: true })]),
      emails: expect.arrayContaining([expect.objectContaining({ type: 'primary' })]),
      addresses: [{ data: { street: expect.any(String), country: 'US' } }],
    })
  })

  test('shows empty lists where the institution gives nothing, never null', async () => {
    const tenant = await service.tenant()
    const names = ['Maren Talvik', 'Joris Talvik']
    const { access_token } = await linkCustom(tenant, [
      { type: 'depository', subtype: 'checking', identity: { names, emails: null } },
    ])
    expect((await ownersOf(tenant, access_token))['checking']).toEqual([
      { names, phone_numbers: [], emails: [], addresses: [] },
    ])
  })

  test('adds identity to the Item at its first success, from available to billed', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const options = { account_ids: ['unknown'] }
    const rejected = await tenant.post('/identity/get', { access_token, options })
    expect(codeOf(rejected)).toBe('INVALID_ACCOUNT_ID')
    const before = await tenant.api.accountsGet({ access_token })
    expect(before.data?.item.available_products).toContain('identity')
    const { data } = await tenant.api.identityGet({ access_token })
    expect(data?.item.billed_products).toEqual(['auth', 'identity'])
    expect(data?.item.available_products).not.toContain('identity')
  })

  test('shows only the accounts that are asked for', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'savings')
    const options = { account_ids: [account_id] }
    const { data } = await tenant.api.identityGet({ access_token, options })
    expect(data?.accounts.map((account) => account.account_id)).toEqual([account_id])
  })

  test('rejects an Item whose institution does not support identity', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['auth', 'transactions'] })
    const { access_token } = await link(tenant, { institution_id })
    const answer = await tenant.post('/identity/get', { access_token })
    expect(codeOf(answer)).toBe('PRODUCTS_NOT_SUPPORTED')
  })

  test.each([
    'ITEM_LOGIN_REQUIRED',
    'ITEM_LOCKED',
    'ITEM_NOT_SUPPORTED',
    'ITEM_NOT_FOUND',
    'ITEM_CONCURRENTLY_DELETED',
    'USER_SETUP_REQUIRED',
    'PASSWORD_RESET_REQUIRED',
    'ACCESS_NOT_GRANTED',
    'USER_PERMISSION_REVOKED',
    'NO_ACCOUNTS',
    'PRODUCT_NOT_ENABLED',
    'PRODUCTS_NOT_SUPPORTED',
    'INSTITUTION_DOWN',
    'INSTITUTION_NOT_RESPONDING',
    'INSTITUTION_NOT_AVAILABLE',
    'INSTITUTION_NO_LONGER_SUPPORTED',
    'UNSUPPORTED_RESPONSE',
  ] as const)('answers %s when that is wrong with the Item', async (error_code) => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    const answer = await tenant.post('/identity/get', { access_token })
    expect([answer.status, codeOf(answer)]).toEqual([400, error_code])
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: null })
    expect(codeOf(await tenant.post('/identity/get', { access_token }))).toBe(200)
  })

  test.each(['NO_LIABILITY_ACCOUNTS', 'PRODUCT_NOT_READY'] as const)(
    'does not know %s, and works',
    async (error_code) => {
      const tenant = await service.tenant()
      const { access_token } = await link(tenant)
      await tenant.control('sandboxItemSetHealth', { access_token, error_code })
      expect(codeOf(await tenant.post('/identity/get', { access_token }))).toBe(200)
    },
  )

  test('stays readable once it was pulled while the institution is down', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['identity'] })
    const error_code = 'INSTITUTION_DOWN'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    expect(codeOf(await tenant.post('/identity/get', { access_token }))).toBe(200)
    expect(codeOf(await tenant.post('/liabilities/get', { access_token }))).toBe(error_code)
    expect(codeOf(await tenant.post('/identity/refresh', { access_token }))).toBe(error_code)
  })
})

describe('identityRefresh', () => {
  const names = ['Ilse Brandt']
  const owners = [{ names, phone_numbers: [{ data: '+14155550142', primary: true, type: 'home' }] }]

  test('shows what changed, and tells what kinds of data did', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook },
    })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const before = await ownersOf(tenant, access_token)
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners })
    expect(await ownersOf(tenant, access_token)).toEqual(before)

    const answer = await tenant.post('/identity/refresh', { access_token })
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['request_id']])
    const after = await ownersOf(tenant, access_token)
    expect(after).toEqual({ ...before, checking: [{ ...owners[0], emails: [], addresses: [] }] })
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toEqual([
      {
        webhook_type: 'IDENTITY',
        webhook_code: 'DEFAULT_UPDATE',
        item_id,
        account_ids_with_updated_identity: {
          [account_id]: ['PHONES', 'ADDRESSES', 'EMAILS', 'NAMES'],
        },
        error: null,
        environment: 'sandbox',
      },
    ])
  })

  test('names only the kinds that differ', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook },
    })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const [owner] = (await ownersOf(tenant, access_token))['checking'] ?? []
    const moved = { ...owner, addresses: [{ data: { street: '40 Kelp Street' } }] }
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners: [moved] })
    await tenant.api.identityRefresh({ access_token })
    const [told] = await webhooksOf(tenant, 'DEFAULT_UPDATE')
    expect(told?.['account_ids_with_updated_identity']).toEqual({ [account_id]: ['ADDRESSES'] })
    const [now] = (await ownersOf(tenant, access_token))['checking'] ?? []
    const nothing = { city: null, region: null, postal_code: null, country: null }
    expect(now?.addresses).toEqual([{ data: { street: '40 Kelp Street', ...nothing } }])
  })

  test('sends nothing when nothing changed, and each change once', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook },
    })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    await tenant.api.identityRefresh({ access_token })
    const same = (await ownersOf(tenant, access_token))['checking']
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners: same })
    await tenant.api.identityRefresh({ access_token })
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toEqual([])
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners })
    await Promise.all([1, 2, 3].map(() => tenant.api.identityRefresh({ access_token })))
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toHaveLength(1)
  })

  test('tells nothing of an account that was closed', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook },
    })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners })
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, closed: true })
    await tenant.api.identityRefresh({ access_token })
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toEqual([])
  })

  test('rejects an Item that does not have identity yet', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const answer = await tenant.post('/identity/refresh', { access_token })
    expect(answer.body).toMatchObject({
      error_type: 'ITEM_ERROR',
      error_code: 'PRODUCT_NOT_ENABLED',
    })
    await tenant.api.identityGet({ access_token })
    expect(codeOf(await tenant.post('/identity/refresh', { access_token }))).toBe(200)
  })

  test('rejects an Item that cannot have identity', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { institution_id: null })
    const answer = await tenant.post('/identity/refresh', { access_token })
    expect(codeOf(answer)).toBe('PRODUCTS_NOT_SUPPORTED')
  })

  test('rejects a client without the add-on', async () => {
    const features = allFeatures.filter((feature) => feature !== 'identity_refresh')
    const tenant = await service.tenant(features)
    const { access_token } = await link(tenant, { initial_products: ['identity'] })
    const answer = await tenant.post('/identity/refresh', { access_token })
    expect(codeOf(answer)).toBe('INVALID_PRODUCT')
  })

  test('rejects an unhealthy Item, and keeps the change for later', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['identity'] })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    await tenant.post('/sandbox/identity/update', { access_token, account_id, owners })
    await tenant.control('sandboxItemResetLogin', { access_token })
    const answer = await tenant.post('/identity/refresh', { access_token })
    expect(codeOf(answer)).toBe('ITEM_LOGIN_REQUIRED')
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: null })
    await tenant.api.identityRefresh({ access_token })
    expect((await ownersOf(tenant, access_token))['checking']?.[0]?.names).toEqual(names)
  })
})
