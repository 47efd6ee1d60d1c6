import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import type { Connector } from '../../src/server/sources/connector.ts'
import { createBank } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest, type Shown, type Visitor } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// An institution whose users log in on a website of its own, and come back from there.

const institution_id = 'ins_900011'
const back = '/hosted/link/return'

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  await createBank(tenant, { institution_id, name: 'Quillon Online Bank' })
})

async function toWebsite(changes: object = {}, of = { service, tenant }) {
  const request = { ...linkRequest, institution_id, ...changes }
  const created = await of.tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(of.service)
  await visitor.open(new URL(created.hosted_link_url).pathname)
  if (!('access_token' in changes)) await visitor.send()
  const shown = await visitor.send()
  return { ...created, visitor, shown, state: stateOf(shown) }
}

const stateOf = ({ html }: Shown): string => /state=([^"&]+)"/.exec(html)?.[1] ?? ''
const comeBack = (visitor: Visitor, query: Record<string, string>) =>
  visitor.open(`${back}?${new URLSearchParams(query)}`)

const sessionOf = async (link_token: string) => {
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  return link_sessions[0]
}
const eventsOf = async (link_token: string) =>
  (await sessionOf(link_token))?.events.map(({ event_name }) => event_name)

describe('the website of an institution', () => {
  test('leads back to the accounts', async () => {
    const { visitor, shown, state, link_token } = await toWebsite()
    expect(shown.heading).toBe('Connect to Quillon Online Bank')
    const website = await visitor.open(`/hosted/link/website?state=${state}`)
    expect([website.heading, website.html.includes(`value="${state}"`)]).toEqual([
      'An invented bank',
      true,
    ])
    const accounts = await comeBack(visitor, { state, code: 'allowed' })
    expect(accounts.heading).toBe('Choose the accounts to share')
    // Neither the code nor the state stays in the address.
    expect(accounts.path).not.toContain('?')
    expect((await visitor.send({ account: '0' })).heading).toBe('Your accounts are connected')
    expect(await eventsOf(link_token)).toEqual([
      'OPEN',
      'SELECT_INSTITUTION',
      'OPEN_OAUTH',
      'SUBMIT_CREDENTIALS',
      'HANDOFF',
    ])
    const [added] = (await sessionOf(link_token))?.results?.item_add_results ?? []
    const { access_token } = await tenant.api
      .itemPublicTokenExchange({ public_token: added?.public_token ?? '' })
      .orThrow()
    // Update mode goes the same way, and keeps the Item.
    await tenant.control('sandboxItemResetLogin', { access_token })
    const { products: _, ...request } = linkRequest
    const again = await toWebsite({
      ...request,
      products: undefined,
      institution_id: undefined,
      access_token,
    })
    const repaired = await comeBack(again.visitor, { state: again.state, code: 'allowed' })
    expect(repaired.heading).toBe('Your connection works again')
    expect((await tenant.api.itemGet({ access_token }).orThrow()).item.error).toBeNull()
  })

  test('may ask the user to confirm in the app, and the page waits', async () => {
    const { visitor, state } = await toWebsite()
    const wait = await comeBack(visitor, { state, code: 'app' })
    expect(wait.html).toContain('Confirm the connection in the app')
    expect((await visitor.send()).heading).toBe('Choose the accounts to share')
  })

  test.each([
    [{ error: 'access_denied' }, 'You decided at your institution', 'ACCESS_DENIED'],
    [{ error: 'server_error' }, 'could not do this now', 'INSTITUTION_ERROR'],
    [{}, 'could not do this now', 'INSTITUTION_ERROR'],
  ])('that answers %j lets the user begin again', async (query, text, code) => {
    const { visitor, state, link_token } = await toWebsite()
    const shown = await comeBack(visitor, { state, ...query })
    expect(shown.html).toContain(text)
    const { events } = (await sessionOf(link_token)) ?? { events: [] }
    expect(events.at(-1)).toMatchObject({
      event_name: 'ERROR',
      event_metadata: { error_code: code },
    })
    const next = stateOf(await visitor.send())
    expect(next).not.toBe(state)
    expect((await comeBack(visitor, { state: next, code: 'allowed' })).heading).toBe(
      'Choose the accounts to share',
    )
  })
})

describe('a way back', () => {
  const strayed = 'This page was already used'

  test('counts once', async () => {
    const { visitor, state, link_token } = await toWebsite()
    await comeBack(visitor, { state, code: 'allowed' })
    const again = await comeBack(visitor, { state, code: 'allowed' })
    expect([again.status, again.heading]).toEqual([409, strayed])
    expect(await eventsOf(link_token)).toHaveLength(4)
    // Who goes back to the page of the bank gets another state.
    const [, current = ''] = /class="button" href="([^"]+)"/.exec(again.html) ?? []
    expect((await visitor.open(current)).heading).toBe('Choose the accounts to share')
    await visitor.open(current.replace('accounts', 'login'))
    expect(stateOf(await visitor.send())).not.toBe(state)
    expect((await comeBack(visitor, { state, code: 'allowed' })).heading).toBe(strayed)
  })

  test('that comes twice at once counts once', async () => {
    const { visitor, state, link_token } = await toWebsite()
    await Promise.all([1, 2, 3].map(() => comeBack(visitor, { state, code: 'allowed' })))
    expect(await eventsOf(link_token)).toHaveLength(4)
  })

  test('with a forged state does nothing, and leads to the page that is open', async () => {
    const { visitor, state, link_token } = await toWebsite()
    const [session = ''] = state.split('.')
    const forged = await comeBack(visitor, {
      state: `${session}.${'0'.repeat(64)}`,
      code: 'allowed',
    })
    expect([forged.status, forged.heading]).toEqual([409, strayed])
    expect(await eventsOf(link_token)).toHaveLength(3)
    expect((await comeBack(visitor, { state, code: 'allowed' })).status).toBe(200)
  })

  test.each([{}, { state: '' }, { state: 'x' }, { state: `${'0'.repeat(36)}.short` }])(
    'with %j says that the address is not complete',
    async (query) => {
      const { visitor } = await toWebsite()
      const shown = await comeBack(visitor, { code: 'allowed', ...(query as object) })
      expect([shown.status, shown.heading]).toEqual([404, 'This address is not complete'])
    },
  )

  test('of another browser is not its own', async () => {
    const mine = await toWebsite()
    const other = await toWebsite()
    const shown = await comeBack(other.visitor, { state: mine.state, code: 'allowed' })
    expect([shown.status, shown.heading]).toEqual([
      404,
      'This connection goes on in another browser',
    ])
    expect(await eventsOf(mine.link_token)).toHaveLength(3)
  })

  test('of a session that was left leads to its end', async () => {
    const { visitor, state, shown } = await toWebsite()
    const leave = await visitor.open(shown.path.replace('login', 'leave'))
    await visitor.send({}, { page: leave })
    expect((await comeBack(visitor, { state, code: 'allowed' })).heading).toBe('You have left')
  })

  test('is no form that another site can send', async () => {
    const { visitor, state, shown, link_token } = await toWebsite()
    const page = { ...shown, path: `${back}?state=${state}&code=allowed` }
    expect((await visitor.send({}, { page })).status).toBe(403)
    expect(await eventsOf(link_token)).toHaveLength(3)
  })
})

describe('in production', () => {
  const authorize = vi.fn<Connector['authorize']>()
  const connector: Connector = {
    id: 'simplefin',
    first: () => ({ kind: 'form', schema: { type: 'object', properties: {}, required: [] } }),
    authorize,
    link: () => Promise.reject(new Error('nothing is linked here')),
  }

  test('a connector gets the address of the way back, and what comes with it', async () => {
    const production = await startService({
      settings: { environment: 'production', reportDelayMs: 0 },
      connectors: { simplefin: connector },
    })
    await listBuiltInInstitutions(production.service)
    const of = { service: production, tenant: await newTenant(production) }
    authorize.mockImplementationOnce(async ({ back: { address, state } }) => ({
      kind: 'redirect',
      url: `https://bank.example.com/authorize?redirect_uri=${address}&state=${state}`,
      state,
    }))
    const { visitor, state, shown } = await toWebsite({ institution_id: 'ins_100001' }, of)
    expect(shown.html).toContain('href="https://bank.example.com/authorize?redirect_uri=')
    expect(shown.html).toContain(`${back}&amp;state=`)
    authorize.mockResolvedValueOnce({
      kind: 'done',
      secret: 'token',
      accounts: [
        { id: '0', name: 'Everyday', mask: null, currency: 'USD', kind: null, lacksBalance: false },
      ],
    })
    const details = await comeBack(visitor, {
      state,
      code: 'c0de',
      iss: 'https://bank.example.com',
    })
    expect(details.heading).toBe('About your account')
    expect(authorize.mock.lastCall?.[2].fields).toMatchObject({ code: 'c0de', state })
    const website = await visitor.open(`/hosted/link/website?state=${state}`)
    expect(website.status).toBe(404)
    await production.close()
  })
})
