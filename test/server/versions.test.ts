import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { currentVersion } from '../../generated/versions.ts'
import { versions } from '../../scripts/contract/contract.ts'
import {
  readyAccessToken,
  wellKnownPublicKey,
} from '../../src/server/clients/well-known-clients.ts'
import { readSeedData, readSeedDataFile } from '../../src/server/fixtures/read-seed-data.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Answered, type Body, startWorld, type Tenant } from '../support/service.ts'
import { linkItem } from '../support/tour.ts'

const [oldest, middle] = ['2018-05-22', '2019-05-29']
const newest = currentVersion

type World = Awaited<ReturnType<typeof startWorld>>

const folder = mkdtempSync(join(tmpdir(), 'versions-'))
let world: World
let client: Tenant
let other: Tenant
beforeAll(async () => {
  const fixture = join(folder, 'world.yaml')
  const lines = [
    'clients:',
    '  - client_id: sandbox-partner',
    "    default_version: '2018-05-22'",
    '    public_key: 00000000000000000000000000a9',
  ]
  writeFileSync(fixture, lines.join('\n'))
  world = await startWorld({}, { fixture })
  client = world.client
  other = world.partner
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

const access = { access_token: readyAccessToken }

/** What is looked at in answers; each has some of it. */
interface Told {
  accounts: (Body & { account_id: string; type: string; owners: { names: string[] }[] })[]
  identity: { names: string[]; addresses: { accounts: string[]; data: Body }[] }
  institutions: Body[]
  transactions: Body[]
  added: Body[]
  removed: unknown
}

async function ask(operationId: keyof typeof operations, body: Body, version?: string) {
  const headers = version === undefined ? {} : { 'Service-Version': version }
  const answered = await client.post(operations[operationId].path, body, headers)
  expect([answered.status, answered.body['error_code']]).toEqual([200, undefined])
  return answered.body as unknown as Told
}

/** A bare request without credentials. */
async function askBare(path: string, body: Body, headers: Record<string, string> = {}) {
  const response = await world.fetch(
    new Request(world.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, body: (await response.json()) as Body } as Answered
}

const outcome = ({ status, body }: Answered) => [status, body['error_code']]

describe('the version of a request', () => {
  const removed = async (tenant: Tenant, headers: Record<string, string> = {}) => {
    const { body } = await tenant.post(
      '/item/remove',
      { access_token: await linkItem(tenant) },
      headers,
    )
    return body['removed']
  }

  test('is the newest, unless the client has a default', async () => {
    expect(await removed(client)).toBeUndefined()
    expect(await removed(other)).toBe(true)
  })

  test('is the one that its header names, whatever the default', async () => {
    expect(await removed(client, { 'Service-Version': middle! })).toBe(true)
    expect(await removed(other, { 'Service-Version': newest })).toBeUndefined()
  })

  test('is the default of the client that the body names', async () => {
    const body = { client_id: other.clientId, secret: other.secret, query: 'bank' }
    expect(outcome(await askBare('/institutions/search', body))).toEqual([200, undefined])
    const { clientId: client_id, secret } = client
    const current = await askBare('/institutions/search', { client_id, secret, query: 'bank' })
    expect(outcome(current)).toEqual([400, 'MISSING_FIELDS'])
  })

  test('is the default of the client that the public key belongs to', async () => {
    const body = { public_key: '00000000000000000000000000a9', query: 'bank' }
    expect(outcome(await askBare('/institutions/search', body))).toEqual([200, undefined])
  })

  test.each(['2017-03-08', '2020-09-15', 'latest', '', '2019-05-29, 2018-05-22'])(
    'is not %j',
    async (version) => {
      const headers = { 'Service-Version': version }
      const rejected = await client.post('/accounts/get', access, headers)
      expect(outcome(rejected)).toEqual([400, 'INVALID_HEADERS'])
    },
  )

  test('is older or newer than the default, as the header says', async () => {
    const made = await client.control('sandboxClientCreate', { default_version: '2019-05-29' })
    const tenant = world.tenantOf(made.client_id, made.secret)
    const body = { access_token: await linkItem(tenant, ['identity']) }
    const identityAt = async (headers: Record<string, string>) =>
      (await tenant.post('/identity/get', body, headers)).body['identity']
    expect(await identityAt({})).toBeUndefined()
    expect(await identityAt({ 'Service-Version': oldest! })).toBeDefined()
    expect(await identityAt({ 'Service-Version': newest })).toBeUndefined()
  })

  test('stands in the list of requests, also of those that were rejected', async () => {
    await ask('accountsGet', access, middle)
    const headers = { 'Service-Version': oldest! }
    await client.post('/accounts/get', {}, headers)
    await client.post('/accounts/get', { access_token: `${readyAccessToken}0` }, headers)
    const { requests } = await client.control('sandboxRequestList', { count: 3 })
    expect(requests).toMatchObject([
      { path: '/accounts/get', status: 400, version: oldest },
      { path: '/accounts/get', status: 400, version: oldest },
      { path: '/accounts/get', status: 200, version: middle },
    ])
  })
})

describe('every version', () => {
  test.each(versions)('%s has the same sandbox endpoints', async (version) => {
    const headers = { 'Service-Version': version }
    const body = { institution_id: 'ins_109508', initial_products: ['identity'] }
    const linked = await client.post('/sandbox/public_token/create', body, headers)
    const { public_token } = linked.body
    const exchanged = await client.post('/item/public_token/exchange', { public_token }, headers)
    const created = await client.post(
      '/sandbox/account/create',
      {
        access_token: exchanged.body['access_token'],
        type: 'investment',
        subtype: 'brokerage',
        name: 'Index Savings',
      },
      headers,
    )
    expect([created.status, Object.keys(created.body)]).toEqual([200, ['account_id', 'request_id']])
  })

  test('that is unknown is rejected by a sandbox endpoint, and by a token operation in its form', async () => {
    const headers = { 'Service-Version': '2017-03-08' }
    const answer = await client.post('/sandbox/clock/get', {}, headers)
    expect(outcome(answer)).toEqual([400, 'INVALID_HEADERS'])
    const token = await client.post('/oauth/token', { grant_type: 'client_credentials' }, headers)
    expect([token.status, token.body['error']]).toEqual([400, 'invalid_request'])
  })

  test('takes the tokens that another has issued', async () => {
    const grant = { grant_type: 'client_credentials', scope: 'user:read' }
    const issued = await client.post('/oauth/token', grant, { 'Service-Version': oldest! })
    const Authorization = `Bearer ${issued.body['access_token']}`
    const outcomes = versions.map(async (version) => {
      const headers = { Authorization, 'Service-Version': version }
      return outcome(await client.post('/accounts/get', access, headers))
    })
    expect(await Promise.all(outcomes)).toEqual(versions.map(() => [200, undefined]))
  })

  test('has the same webhooks in every version', async () => {
    const receiver = await startReceiver()
    const { public_token } = await client.control('sandboxPublicTokenCreate', {
      institution_id: 'ins_109508',
      initial_products: ['identity'],
      options: { webhook: receiver.url },
    })
    const { access_token } = await client.control('itemPublicTokenExchange', { public_token })
    const body = { access_token, webhook_type: 'ITEM', webhook_code: 'NEW_ACCOUNTS_AVAILABLE' }
    for (const version of versions) {
      await client.post('/sandbox/item/fire_webhook', body, { 'Service-Version': version })
    }
    const arrived = await receiver.arrivals(versions.length)
    await receiver.close()
    expect(new Set(arrived.map((one) => String(one.body))).size).toBe(1)
  })
})

test('seed data whose client has an unknown default is rejected', async () => {
  const fixture = join(folder, 'unknown.yaml')
  writeFileSync(fixture, "clients:\n  - client_id: new\n    default_version: '2017-03-08'\n")
  await expect(readSeedData([readSeedDataFile(fixture)], 'sandbox')).rejects.toThrow(
    `:3:5: clients[0].default_version must be one of: ${versions.join(', ')}`,
  )
})

const typesIn = ({ accounts }: Told) => accounts.map(({ type }) => type)

describe('2018-05-22', () => {
  const reading = ['accountsGet', 'liabilitiesGet', 'identityGet'] as const

  test.each(reading)('calls the account type investment brokerage in %s', async (operationId) => {
    const investment = await client.control('sandboxPublicTokenCreate', {
      institution_id: 'ins_109508',
      initial_products: ['transactions', 'liabilities', 'identity'],
    })
    const { access_token } = await client.control('itemPublicTokenExchange', investment)
    await client.control('sandboxAccountCreate', {
      access_token,
      type: 'investment',
      subtype: 'brokerage',
      name: 'Index Savings',
    })
    const [then, later, now] = await Promise.all(
      [oldest, middle, newest].map(async (version) =>
        typesIn(await ask(operationId, { access_token }, version)),
      ),
    )
    expect(now).toContain('investment')
    expect(later).toEqual(now)
    expect(then).toEqual(now!.map((type) => (type === 'investment' ? 'brokerage' : type)))
  })

  test('has identity beside the accounts, each entry once', async () => {
    const { accounts, identity } = await ask('identityGet', access, oldest)
    for (const account of accounts) expect(account).not.toHaveProperty('owners')
    const { accounts: now } = await ask('identityGet', access)
    const owners = now.flatMap((account) => account.owners)
    expect(identity.names).toEqual([...new Set(owners.flatMap((owner) => owner.names))])
    expect(identity.addresses[0]).toMatchObject({
      accounts: expect.arrayContaining(['Everyday Checking 4821']),
      data: { state: 'OR', zip: '97031' },
    })
    expect(identity.addresses[0]!.data).not.toHaveProperty('country')
  })

  test('gives only the identity of the accounts that are asked for', async () => {
    const { accounts } = await ask('identityGet', access, oldest)
    const { account_id, name, mask } = accounts[0]!
    const body = { ...access, options: { account_ids: [account_id] } }
    const { identity } = await ask('identityGet', body, oldest)
    expect(identity.addresses.map((address) => address.accounts)).toEqual([[`${name} ${mask}`]])
  })

  test('gives empty texts for the parts of an address that are missing', async () => {
    const access_token = await linkItem(client, ['identity'])
    const { accounts } = await ask('accountsGet', { access_token })
    const { account_id } = accounts[0]!
    await client.control('sandboxIdentityUpdate', {
      access_token,
      account_id,
      owners: [{ names: ['Ilse Marrow'], addresses: [{ data: { street: '3 Weir Row' } }] }],
    })
    await ask('identityRefresh', { access_token })
    const body = { access_token, options: { account_ids: [account_id] } }
    const { identity } = await ask('identityGet', body, oldest)
    expect(identity).toMatchObject({
      names: ['Ilse Marrow'],
      addresses: [{ primary: false, data: { street: '3 Weir Row', city: '', state: '', zip: '' } }],
    })
  })

  test.each(['transactionsGet', 'transactionsSync'] as const)(
    'tells days and places of %s in its own way',
    async (operationId) => {
      const period = { start_date: '2020-01-01', end_date: '2099-12-31' }
      const body = operationId === 'transactionsGet' ? { ...access, ...period } : access
      const now = await ask(operationId, body)
      const then = await ask(operationId, body, oldest)
      const list = operationId === 'transactionsGet' ? 'transactions' : 'added'
      const [before, after] = [now, then].map((answer) => answer[list])
      expect(before!.length).toBeGreaterThan(0)
      expect(before!.some(({ datetime }) => datetime !== null)).toBe(true)
      expect(after).toEqual(before!.map(toOldest))
    },
  )

  test('leaves countries out of the institutions that it finds', async () => {
    const search = { query: 'bank', country_codes: ['US'] }
    const { institutions } = await ask('institutionsSearch', search, oldest)
    const { institutions: now } = await ask('institutionsSearch', search, middle)
    expect(institutions).toEqual(now.map(({ country_codes: _, ...rest }) => rest))
    expect(now.length).toBeGreaterThan(1)
  })
})

function toOldest(transaction: Body): Body {
  const { region, postal_code, country: _, ...location } = transaction['location'] as Body
  return {
    ...transaction,
    datetime: null,
    authorized_datetime: null,
    location: {
      ...location,
      address: location['address'] ?? '',
      city: location['city'] ?? '',
      state: region ?? '',
      zip: postal_code ?? '',
    },
  }
}

describe.each([oldest, middle] as string[])('%s', (version) => {
  const headers = { 'Service-Version': version }
  const search = (body: Body) =>
    askBare('/institutions/search', { public_key: wellKnownPublicKey, ...body }, headers)
  const countriesOf = async (body: Body) => {
    const { institutions } = (await search(body)).body as { institutions: Body[] }
    const ids = institutions.map(({ institution_id }) => institution_id as string)
    const found = await Promise.all(
      ids.map((query) => {
        const country_codes = ['US', 'GB', 'CA']
        return ask('institutionsSearch', { query, country_codes }, newest)
      }),
    )
    return found.map(({ institutions: [one] }) => one!['country_codes'] as string[])
  }

  test('says that a removed Item is removed', async () => {
    const { removed } = await ask('itemRemove', { access_token: await linkItem(client) }, version)
    expect(removed).toBe(true)
  })

  test('searches with a public key, in the US when no country is named', async () => {
    const countries = await countriesOf({ query: 'bank' })
    expect(countries.length).toBeGreaterThan(1)
    expect(countries.every((codes) => codes.includes('US'))).toBe(true)
  })

  test('takes the countries from the options, and first from beside them', async () => {
    const inOptions = { query: 'bank', options: { country_codes: ['GB'] } }
    const british = await countriesOf(inOptions)
    expect(british.length).toBeGreaterThan(0)
    expect(british.every((codes) => codes.includes('GB'))).toBe(true)
    const both = await countriesOf({ ...inOptions, country_codes: ['US'] })
    expect(both.every((codes) => codes.includes('US'))).toBe(true)
  })

  test('rejects an unknown public key, and an invalid one', async () => {
    const unknown = await search({ query: 'bank', public_key: 'f'.repeat(28) })
    expect(outcome(unknown)).toEqual([400, 'INVALID_API_KEYS'])
    const misshapen = await search({ query: 'bank', public_key: 'short' })
    expect(outcome(misshapen)).toEqual([400, 'INVALID_FIELD'])
  })

  test('still takes credentials', async () => {
    const { institutions } = await ask('institutionsSearch', { query: 'bank' }, version)
    expect(institutions.length).toBeGreaterThan(0)
  })

  test('knows the public key in no other operation', async () => {
    const body = { ...access, public_key: wellKnownPublicKey }
    const rejected = await client.post('/accounts/get', body, headers)
    expect(outcome(rejected)).toEqual([400, 'UNKNOWN_FIELDS'])
    const bare = await askBare('/accounts/get', body, headers)
    expect(outcome(bare)).toEqual([400, 'MISSING_FIELDS'])
  })

  test('answers errors as every version does', async () => {
    const body = { access_token: 'access-sandbox-00000000-0000-4000-8000-00000000ffff' }
    const [then, now] = await Promise.all(
      [version, newest].map((one) =>
        client.post('/accounts/get', body, { 'Service-Version': one }),
      ),
    )
    const { request_id: _, ...expected } = now!.body
    expect(then).toMatchObject({ status: 400, body: expected })
  })

  test('puts an unknown value of an enum into an answer that is asked to hold one', async () => {
    await client.control('sandboxErrorInject', { operation: '/accounts/get', unknown_enum: true })
    const { body } = await client.post('/accounts/get', access, headers)
    expect(body).toHaveProperty('x_unknown_field')
    expect(JSON.stringify(body)).toContain('VALUE_OF_A_NEWER_VERSION')
  })
})

test('the newest version takes no public key', async () => {
  const body = { public_key: wellKnownPublicKey, query: 'bank', country_codes: ['US'] }
  const rejected = await askBare('/institutions/search', body)
  expect(outcome(rejected)).toEqual([400, 'INCOMPATIBLE_API_VERSION'])
})
