import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRedirectUri } from '../../src/server/link/redirect-uri.ts'
import { codeOf, createBank, link } from '../support/items-fixtures.ts'
import { newTenant } from '../support/operator.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'

const begun = '2026-03-16T12:00:00Z'
let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(begun) })
  tenant = await service.tenant()
})
afterAll(() => service.close())

const least = {
  client_name: 'Larkspur Lending',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'borrower-7f3a' },
  products: ['transactions'],
} as const
type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]
const create = (who: Tenant, changes: Partial<Request> = {}) =>
  who.api.linkTokenCreate({ ...(least as unknown as Request), ...changes }).orThrow()
const codeFor = async (changes: Body, who = tenant) =>
  codeOf(await who.post('/link/token/create', { ...least, ...changes }))

describe('linkTokenCreate', () => {
  test('makes a token for 4 hours, with a page', async () => {
    const made = await create(tenant)
    expect(made.link_token).toMatch(/^link-sandbox-[0-9a-f-]{36}$/)
    expect(made.expiration).toBe('2026-03-16T16:00:00Z')
    expect(made.hosted_link_url).toMatch(/^http:.*\/hosted\/link\/[\w.-]+$/)
    const { access_token } = await link(tenant)
    const update = { products: null, access_token }
    expect((await create(tenant, update)).expiration).toBe('2026-03-16T12:30:00Z')
    const hosted_link = { url_lifetime_seconds: 86_400 }
    expect((await create(tenant, { hosted_link })).expiration).toBe('2026-03-17T12:00:00Z')
    expect((await create(tenant, { ...update, hosted_link })).expiration).toBe(
      '2026-03-17T12:00:00Z',
    )
  })

  test('asks for a user and for products, null or absent', async () => {
    const { user: _, ...nobody } = least
    const { products: __, ...nothing } = least
    const path = '/link/token/create'
    expect(codeOf(await tenant.post(path, nobody))).toBe('INVALID_FIELD')
    expect(codeOf(await tenant.post(path, nothing))).toBe('INVALID_FIELD')
    expect(await codeFor({ user: null })).toBe('INVALID_FIELD')
    expect(await codeFor({ products: [] })).toBe('INVALID_FIELD')
    expect(await codeFor({ user: { legal_name: 'Maren Talvik' } })).toBe('MISSING_FIELDS')
  })

  test.each<[string, Body, string]>([
    ['a name on two lines', { client_name: 'Larkspur\nLending' }, 'INVALID_FIELD'],
    ['a name with a space of no width', { client_name: 'Lark\u200bspur' }, 'INVALID_FIELD'],
    ['a name that turns around', { client_name: '\u202eknab' }, 'INVALID_FIELD'],
    ['a name of spaces', { client_name: '  ' }, 'INVALID_FIELD'],
    ['a language', { language: 'tea' }, 'INVALID_FIELD'],
    ['a product', { products: ['tea'] }, 'INVALID_FIELD'],
    ['no country', { country_codes: [] }, 'INVALID_FIELD'],
    ['a repeated product', { optional_products: ['transactions'] }, 'INVALID_FIELD'],
    ['too much history', { transactions: { days_requested: 731 } }, 'INVALID_FIELD'],
    ['no history', { transactions: { days_requested: 0 } }, 'INVALID_FIELD'],
    ['a long page', { hosted_link: { url_lifetime_seconds: 21 * 86_400 + 1 } }, 'INVALID_FIELD'],
    ['code', { hosted_link: { completion_redirect_uri: 'JavaScript:alert(1)' } }, 'INVALID_FIELD'],
    ['a subtype', { account_filters: { credit: { account_subtypes: ['tea'] } } }, 'INVALID_FIELD'],
    ['an institution', { institution_id: 'ins_000000' }, 'INVALID_INSTITUTION'],
    ['a user', { user_id: 'usr_00000000000000' }, 'USER_NOT_FOUND'],
    ['a user id', { user_id: 'tea' }, 'INVALID_USER_ID'],
    ['an Item', { products: null, access_token: 'access-sandbox-tea' }, 'INVALID_ACCESS_TOKEN'],
    ['no template', { products: ['identity_verification'] }, 'INVALID_FIELD'],
    ['a template', { identity_verification: { template_id: 'tea' } }, 'INVALID_FIELD'],
  ])('rejects %s', async (_, changes, code) => {
    expect(await codeFor(changes)).toBe(code)
  })

  test('rejects an institution of another country or client, or without the product', async () => {
    const other = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['transactions'] })
    expect(await codeFor({ institution_id })).toBe(200)
    expect(await codeFor({ institution_id, country_codes: ['GB'] })).toBe('INVALID_INSTITUTION')
    expect(await codeFor({ institution_id, products: ['identity'] })).toBe('INVALID_FIELD')
    expect(await codeFor({ institution_id }, other)).toBe('INVALID_INSTITUTION')
  })

  test('takes no products beside an Item, and no Item of another client', async () => {
    const other = await service.tenant()
    const { access_token } = await link(tenant)
    expect(await codeFor({ access_token })).toBe('INVALID_FIELD')
    const update = { access_token, products: null }
    expect(await codeFor(update)).toBe(200)
    expect(await codeFor(update, other)).toBe('INVALID_ACCESS_TOKEN')
  })

  test('takes a user of /user/create, alone or beside the same one', async () => {
    const { user_id } = await tenant.api.userCreate({ client_user_id: 'borrower-1' }).orThrow()
    expect(await codeFor({ user: null, user_id })).toBe(200)
    expect(await codeFor({ user: { client_user_id: 'borrower-1' }, user_id })).toBe(200)
    expect(await codeFor({ user_id })).toBe('INVALID_FIELD')
    expect(await codeFor({ user: null, user_id }, await service.tenant())).toBe('USER_NOT_FOUND')
  })

  test.each([
    ['https://lender.example.com/linked', true],
    ['http://127.0.0.1:3000/linked', true],
    ['http://localhost/linked', true],
    ['http://[::1]/linked', true],
    ['larkspur:/linked', true],
    ['com.example.lender://linked', true],
    ['http://lender.example.com/linked', false],
    ['javascript:alert(1)', false],
    ['JAVASCRIPT:alert(1)', false],
    ['data:text/html,hello', false],
    ['file:///etc/hosts', false],
    ['vbscript:x', false],
    ['https:', false],
    ['linked', false],
    ['https://tidewater.example.com@lender.example.com/linked', false],
    ['https://:secret@lender.example.com/linked', false],
    ['com.example.lender://me@linked', false],
    ['intent://linked#Intent;scheme=https;end', false],
    ['ftp://lender.example.com/linked', false],
    ['view-source:https://lender.example.com', false],
    ['about:blank', false],
    ['blob:https://lender.example.com/1', false],
    ['WS://lender.example.com', false],
    ['ms-settings:privacy', false],
    ['chrome-extension://a/b', false],
    ['mailto:maren@example.com', false],
    ['tel:+15550100', false],
  ])('%s as the end of the way: %s', (uri, isTaken) => {
    expect(isRedirectUri(uri)).toBe(isTaken)
  })
})

describe('linkTokenGet', () => {
  test('shows what the token was made with', async () => {
    const institution_id = await createBank(tenant)
    const metadata = {
      webhook: 'https://lender.example.com/webhooks',
      account_filters: { depository: { account_subtypes: ['checking' as const] } },
    }
    const redirect_uri = 'larkspur://linked'
    const { link_token, expiration } = await create(tenant, {
      ...metadata,
      institution_id,
      hosted_link: { completion_redirect_uri: redirect_uri },
    })
    const { request_id: _, ...found } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(found).toEqual({
      link_token,
      created_at: begun,
      expiration,
      metadata: {
        ...metadata,
        initial_products: ['transactions'],
        country_codes: ['US'],
        language: 'en',
        redirect_uri,
        client_name: 'Larkspur Lending',
        institution_data: { institution_id, name: 'Tidewater Bank' },
      },
      link_sessions: [],
    })
  })

  test("is for the token's own client, and until it expires by that client's clock", async () => {
    const [owner, other] = [await service.tenant(), await service.tenant()]
    const { link_token } = await create(owner)
    const get = async (who: Tenant) => codeOf(await who.post('/link/token/get', { link_token }))
    expect(await get(other)).toBe('INVALID_LINK_TOKEN')
    await other.control('sandboxClockAdvance', { seconds: 5 * 3600 })
    await owner.control('sandboxClockAdvance', { seconds: 4 * 3600 - 1 })
    expect(await get(owner)).toBe(200)
    await owner.control('sandboxClockAdvance', { seconds: 1 })
    expect(await get(owner)).toBe('INVALID_LINK_TOKEN')
  })

  test('knows no token after a reset', async () => {
    const owner = await service.tenant()
    const { link_token } = await create(owner)
    await owner.control('sandboxReset', {})
    expect(codeOf(await owner.post('/link/token/get', { link_token }))).toBe('INVALID_LINK_TOKEN')
  })
})

describe('the page of a link token', () => {
  const read = (url: string) => service.app.inject(new URL(url).pathname)

  test('is there for clients that an operator made, whose ids are longer', async () => {
    const { hosted_link_url } = await create(await newTenant(service))
    expect((await read(hosted_link_url)).statusCode).toBe(303)
  })

  test('leads to the page of a verification', async () => {
    const owner = await service.tenant()
    const { template_id } = await owner.control('sandboxIdentityVerificationTemplateCreate', {
      steps: ['kyc_check'],
    })
    const { hosted_link_url } = await create(owner, {
      products: ['identity_verification'],
      identity_verification: { template_id },
    })
    const { statusCode, headers } = await read(hosted_link_url)
    expect([statusCode, headers['location']]).toEqual([
      303,
      expect.stringMatching(/^\/verify\/session\/[\w-]+\/name$/),
    ])
  })

  test("ends by its client's clock, and others were never there", async () => {
    const owner = await service.tenant()
    const { hosted_link_url } = await create(owner)
    const other = hosted_link_url.replace(/.{4}$/, (end) => (end === '0000' ? '1111' : '0000'))
    expect((await read(other)).statusCode).toBe(404)
    expect((await read(`${hosted_link_url}0`)).statusCode).toBe(404)
    expect((await read(hosted_link_url.replace(/[^/]+$/, '%00'))).statusCode).toBe(404)
    await owner.control('sandboxClockAdvance', { seconds: 1799 })
    expect((await read(hosted_link_url)).statusCode).toBe(303)
    await owner.control('sandboxClockAdvance', { seconds: 1 })
    const ended = await read(hosted_link_url)
    expect(ended.statusCode).toBe(404)
    expect(ended.body).toMatch(/<title>.+<\/title>[\s\S]*<h1>.+<\/h1>/)
  })
})

test('link tokens are there in production', async () => {
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  const production = await startService({ settings })
  const [owner, other] = [await production.tenant(), await production.tenant()]
  const { link_token, hosted_link_url } = await create(owner)
  expect(link_token).toMatch(/^link-production-/)
  const page = await production.app.inject(new URL(hosted_link_url).pathname)
  expect(page.statusCode).toBe(303)
  expect(page.headers['location']).toMatch(/\/consent$/)
  expect((await owner.api.linkTokenGet({ link_token }).orThrow()).link_token).toBe(link_token)
  expect(codeOf(await other.post('/link/token/get', { link_token }))).toBe('INVALID_LINK_TOKEN')
  await production.close()
})
