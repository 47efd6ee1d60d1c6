import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { codeOf, createBank, link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext } from '../support/transactions-fixtures.ts'

let service: TestService
let tenant: Tenant
let receiver: Receiver
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]
async function create(changes: Partial<Request> = {}): Promise<string> {
  const request: Request = {
    client_name: 'Larkspur Lending',
    language: 'en',
    country_codes: ['US'],
    user: { client_user_id: 'borrower-7f3a' },
    products: ['transactions'],
    ...changes,
  }
  return (await tenant.api.linkTokenCreate(request).orThrow()).link_token
}
const finish = async (body: Body, who = tenant) =>
  codeOf(await who.post('/sandbox/link/session/finish', body))
const succeed = (link_token: string, institution_id?: string) =>
  tenant.control('sandboxLinkSessionFinish', {
    link_token,
    status: 'SUCCESS',
    ...(institution_id === undefined ? {} : { institution_id }),
  })
const sessionsOf = async (link_token: string) =>
  (await tenant.api.linkTokenGet({ link_token }).orThrow()).link_sessions

describe('a session that succeeds', () => {
  test('links an Item, tells of it, and gives its token', async () => {
    const institution_id = await createBank(tenant)
    const link_token = await create({
      institution_id,
      webhook: receiver.url,
      transactions: { days_requested: 30 },
      optional_products: ['identity', 'standing_orders'],
    })
    const { link_session_id, public_tokens } = await succeed(link_token)
    const [webhook] = await receiver.arrivals(1)
    const event = await verifyWebhook(webhook!.body, webhook!.headers, { client: tenant.api })
    expect(event).toEqual({
      webhook_type: 'LINK',
      webhook_code: 'SESSION_FINISHED',
      status: 'SUCCESS',
      link_session_id,
      link_token,
      public_tokens,
      environment: 'sandbox',
    })
    const [session] = await sessionsOf(link_token)
    expect(session).toMatchObject({ link_session_id, exit: null })
    expect(session?.events.map(({ event_name }) => event_name)).toEqual([
      'OPEN',
      'SELECT_INSTITUTION',
      'HANDOFF',
    ])
    const [added] = session?.results?.item_add_results ?? []
    expect([added?.public_token]).toEqual(public_tokens)
    expect(added?.institution).toEqual({ institution_id, name: 'Tidewater Bank' })
    const public_token = public_tokens[0]!
    const { access_token } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    const { accounts, item } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts.map(({ account_id }) => account_id)).toEqual(
      added?.accounts.map(({ id }) => id),
    )
    expect(item).toMatchObject({ institution_id, webhook: receiver.url })
    expect(item.products).toEqual(['identity', 'transactions'])
  })

  test('shares the accounts that the filters let through', async () => {
    const institution_id = await createBank(tenant)
    const account_filters = {
      depository: { account_subtypes: ['savings' as const] },
      credit: { account_subtypes: ['all' as const] },
    }
    const link_token = await create({ institution_id, account_filters })
    await succeed(link_token)
    const [session] = await sessionsOf(link_token)
    const [added] = session?.results?.item_add_results ?? []
    const shared = added?.accounts.map(({ type, subtype }) => `${type} ${subtype}`)
    expect(shared).toEqual(['depository savings', 'credit credit card'])
    const none = await create({ institution_id, account_filters: {} })
    expect(await finish({ link_token: none, status: 'SUCCESS' })).toBe('INVALID_FIELD')
    expect(await sessionsOf(none)).toEqual([])
  })

  test('gives the Item to the user of the token', async () => {
    const { user_id, user_token } = await tenant.api
      .userCreate({ client_user_id: 'borrower-1' })
      .orThrow()
    const institution_id = await createBank(tenant)
    const link_token = await create({ institution_id, user: null, user_id, products: ['assets'] })
    const { public_tokens } = await succeed(link_token)
    const public_token = public_tokens[0]!
    const { item_id } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    expect(user_token).toBeDefined()
    const owner = await inContext(service, tenant, ({ own }) =>
      own.first('select user_id from items where client_id = $1 and item_id = $2', [item_id]),
    )
    expect(owner).toEqual({ user_id })
  })

  test('needs an institution that the token lets through', async () => {
    const token = await create()
    const chosen = async (institution_id?: string) =>
      finish({
        link_token: token,
        status: 'SUCCESS',
        ...(institution_id ? { institution_id } : {}),
      })
    expect(await chosen()).toBe('INVALID_FIELD')
    expect(await chosen('ins_000000')).toBe('INVALID_INSTITUTION')
    expect(await chosen(await createBank(tenant, { country_codes: ['GB'] }))).toBe(
      'INVALID_INSTITUTION',
    )
    expect(await chosen(await createBank(tenant, { products: ['auth'] }))).toBe('INVALID_FIELD')
    expect(await chosen(await createBank(tenant))).toBe(200)
    const bound = await create({ institution_id: await createBank(tenant) })
    const another = { institution_id: await createBank(tenant), link_token: bound }
    expect(await finish({ ...another, status: 'SUCCESS' })).toBe('INVALID_FIELD')
  })
})

describe('a session that the user leaves', () => {
  test('tells why, and links nothing', async () => {
    const institution_id = await createBank(tenant)
    const link_token = await create({ institution_id, webhook: receiver.url })
    const left = { link_token, status: 'EXITED', error_code: 'INSTITUTION_DOWN' } as const
    expect(await tenant.control('sandboxLinkSessionFinish', left)).toMatchObject({
      public_tokens: [],
    })
    await tenant.control('sandboxLinkSessionFinish', { link_token, status: 'EXITED' })
    const sessions = await sessionsOf(link_token)
    expect(sessions.map(({ exit, results }) => [exit?.error?.error_code ?? null, results])).toEqual(
      [
        ['INSTITUTION_DOWN', null],
        [null, null],
      ],
    )
    expect(sessions[0]?.events.at(-1)).toMatchObject({
      event_name: 'EXIT',
      event_metadata: { institution_id, error_code: 'INSTITUTION_DOWN' },
    })
    const told = (await receiver.arrivals(2)).map(({ body }) => JSON.parse(body.toString()))
    expect(told.map(({ status, public_tokens }) => [status, public_tokens])).toEqual([
      ['EXITED', []],
      ['EXITED', []],
    ])
  })

  test('has an error only where it failed', async () => {
    const link_token = await create({ institution_id: await createBank(tenant) })
    const failed = { link_token, error_code: 'INSTITUTION_DOWN' }
    expect(await finish({ ...failed, status: 'SUCCESS' })).toBe('INVALID_FIELD')
    expect(await finish({ ...failed, status: 'EXITED' })).toBe(200)
  })
})

describe('the update flow', () => {
  test('repairs the Item, and tells so once', async () => {
    const options = { webhook: receiver.url }
    const { access_token, item_id } = await link(tenant, { initial_products: ['auth'], options })
    await tenant.control('sandboxItemResetLogin', { access_token })
    const link_token = await create({ access_token, products: null })
    await succeed(link_token)
    await succeed(link_token)
    expect((await tenant.api.itemGet({ access_token }).orThrow()).item.error).toBeNull()
    const sessions = await sessionsOf(link_token)
    expect(sessions.map(({ results }) => results)).toEqual(Array(2).fill({ item_add_results: [] }))
    await tenant.control('sandboxClockAdvance', { seconds: 0 })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    const repaired = webhooks.filter(({ webhook_code }) => webhook_code === 'LOGIN_REPAIRED')
    expect(repaired.map(({ body }) => JSON.parse(body))).toEqual([
      { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id, environment: 'sandbox' },
    ])
  })

  test('fails for an Item that is gone, and leaves nothing', async () => {
    const { access_token } = await link(tenant)
    const link_token = await create({ access_token, products: null })
    await tenant.api.itemRemove({ access_token }).orThrow()
    expect(await finish({ link_token, status: 'SUCCESS' })).toBe('ITEM_CONCURRENTLY_DELETED')
    expect(await sessionsOf(link_token)).toEqual([])
  })
})

test("a session is ended with the client's own token only, until it expires", async () => {
  const other = await service.tenant()
  const institution_id = await createBank(tenant)
  const link_token = await create({ institution_id })
  const body = { link_token, status: 'SUCCESS' }
  expect(await finish(body, other)).toBe('INVALID_LINK_TOKEN')
  await tenant.control('sandboxClockAdvance', { seconds: 4 * 3600 })
  expect(await finish(body)).toBe('INVALID_LINK_TOKEN')
})

test('no token is stored as text, in sessions nor in webhooks', async () => {
  const link_token = await create({
    institution_id: await createBank(tenant),
    webhook: receiver.url,
    user: { client_user_id: 'borrower-7f3a', legal_name: 'Maren Talvik' },
  })
  const { public_tokens } = await succeed(link_token)
  const tables = ['link_tokens', 'link_sessions', 'webhook_deliveries']
  const rows = await inContext(service, tenant, async ({ own }) =>
    Promise.all(tables.map((table) => own.all(`select * from ${table} where client_id = $1`))),
  )
  expect(rows.map((all) => all.length > 0)).toEqual([true, true, true])
  const text = JSON.stringify(rows)
  for (const secret of [link_token, ...public_tokens, 'Talvik', 'borrower-7f3a']) {
    expect(text).not.toContain(secret)
  }
  const { webhooks } = await tenant.control('sandboxWebhookList', {})
  expect(webhooks[0]?.body).toContain(link_token)
})
