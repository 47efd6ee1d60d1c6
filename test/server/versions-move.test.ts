import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Version } from '../../generated/versions.ts'
import { root, versions } from '../../scripts/contract/contract.ts'
import { type Client, createClient, syncTransactions } from '../../src/index.ts'
import {
  readyAccessToken as access_token,
  wellKnownPublicKey as public_key,
} from '../../src/server/clients/well-known-clients.ts'
import { type Body, startWorld, type Tenant } from '../support/service.ts'
import { fromSources, snippetsOf } from '../support/snippets.ts'
import { linkItem } from '../support/tour.ts'

// A small program of 2018 moves to the newest version, one part after the other, while all versions
// are alive. Its parts are those of the guide. On PostgreSQL two processes answer alternately.

const guide = 'src/docs/guides/09-move-between-versions.md'
const [oldest, middle, newest] = versions as [Version, Version, Version]

/** What the guide's files have, each as it was and as it became. */
interface Program {
  findBank(client: object, query: string): Promise<string[]>
  invested(client: object, access_token: string): Promise<string[]>
  ownerOf(client: object, access_token: string): Promise<string>
  shops(client: object, access_token: string): Promise<string[]>
  unlink(client: object, access_token: string): Promise<boolean>
}

/** A part of the program: what to call it with, and when it can have moved. */
interface Part {
  name: keyof Program
  file: string
  /** The first version that needs the new code. */
  since: Version
}

const parts: Part[] = [
  { name: 'invested', file: 'invested', since: middle },
  { name: 'ownerOf', file: 'owner', since: middle },
  { name: 'shops', file: 'shops', since: middle },
  { name: 'findBank', file: 'find-bank', since: newest },
  { name: 'unlink', file: 'unlink', since: newest },
]

let world: Awaited<ReturnType<typeof startWorld>>
let folder: string
beforeAll(async () => {
  world = await startWorld()
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/versions-move-'))
  for (const { name, code } of snippetsOf(guide, 'ts')) {
    if (name) writeFileSync(join(folder, name), fromSources(code))
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const load = (file: string): Promise<Program & { differingPlaces: Compare }> =>
  import(/* @vite-ignore */ join(folder, `${file}.ts`))

type Compare = (before: unknown, after: unknown) => string[]

/** The client of the package, which names the version in each request. */
const apiAt = <V extends Version>(version: V): Client<V> =>
  (world.client.api as Client).at(version) as Client<V>

/** A page: no credentials. */
const pageAt = (version: Version) =>
  createClient({ baseUrl: world.url, version, fetch: world.fetch, retries: 0 })

/** An Item to remove, with little in it. */
async function linkSmallItem(): Promise<string> {
  const account = { type: 'depository', subtype: 'checking', starting_balance: 1 }
  const { public_token } = await world.client.control('sandboxPublicTokenCreate', {
    institution_id: 'ins_109508',
    initial_products: ['identity'],
    options: {
      override_username: 'user_custom',
      override_password: JSON.stringify({ override_accounts: [account] }),
    },
  })
  return (await world.client.control('itemPublicTokenExchange', { public_token })).access_token
}

/** What a part shows, as the code and in the version that it is at. */
async function show({ name, file, since }: Part, version: Version): Promise<unknown> {
  const isOld = version < since
  const program = await load(isOld ? `${file}-2018` : file)
  const token = name === 'unlink' ? await linkSmallItem() : access_token
  if (name === 'findBank' && isOld) return program.findBank(pageAt(version), 'tidewater')
  return program[name](apiAt(version), name === 'findBank' ? 'tidewater' : token)
}

/** Versions that the parts are at: one part after the other moves, first to 2019, then on. */
const steps = [middle, newest].flatMap((version, round) =>
  parts.map((_, moved): [step: string, at: Version[]] => [
    `${moved + 1} of ${parts.length} parts at ${version}`,
    parts.map((_, index) => (index <= moved ? version : ([oldest, middle][round] as Version))),
  ]),
)

describe('a program of 2018', () => {
  const showAll = (at: Version[]) => Promise.all(parts.map((part, index) => show(part, at[index]!)))
  let shown: unknown[]
  beforeAll(async () => {
    shown = await showAll(parts.map(() => oldest))
  })

  test('shows its users what there is', () => {
    const [invested, owner, shops, banks, removed] = shown
    expect(invested).toEqual(['Brokerage: 15890.4'])
    expect(owner).toBe('Maren Talvik, Larkspur Falls OR 97031')
    expect(shops).toContain('Larkspur Falls OR 97031')
    expect(banks).toEqual(['Tidewater Lantern Bank'])
    expect(removed).toBe(true)
  })

  test.each(steps)('shows the same with %s', async (_, at) => {
    expect(await showAll(at)).toEqual(shown)
  })
})

describe('a part that was forgotten', () => {
  const post = (path: string, body: Body) =>
    world.client.post(path, body, { 'Service-Version': newest })

  test.each<[string, Body, string]>([
    ['a public key', { query: 'bank', public_key }, 'INCOMPATIBLE_API_VERSION'],
    ['no countries', { query: 'bank' }, 'MISSING_FIELDS'],
    [
      'countries in the options',
      { query: 'bank', country_codes: ['US'], options: { country_codes: ['US'] } },
      'UNKNOWN_FIELDS',
    ],
  ])('is rejected for %s', async (_, body, code) => {
    const { status, body: answer } = await post('/institutions/search', body)
    expect([status, answer['error_code']]).toEqual([400, code])
  })

  test.each<[name: keyof Program, file: string, shown: unknown]>([
    ['invested', 'invested-2018', []],
    ['unlink', 'unlink-2018', false],
  ])('finds nothing in the answer: %s', async (name, file, shown) => {
    const program = await load(file)
    const token = name === 'unlink' ? await linkSmallItem() : access_token
    expect(await program[name](apiAt(newest), token)).toEqual(shown)
  })
})

describe('what is stored', () => {
  test('goes on in another version: the cursor of a sync', async () => {
    const tenant = world.client
    const item = { access_token: await linkItem(tenant) }
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    const first = await syncTransactions(apiAt(oldest), item)
    await tenant.control('sandboxClockAdvance', { seconds: 7 * 86_400 })
    const then = await syncTransactions(apiAt(newest), { ...item, cursor: first.cursor })
    expect(then.added.length).toBeGreaterThan(0)
    const whole = await syncTransactions(apiAt(newest), item)
    const known = new Set([...first.added, ...then.added].map((one) => one.transaction_id))
    for (const { transaction_id } of then.removed) known.delete(transaction_id)
    expect(new Set(whole.added.map((one) => one.transaction_id))).toEqual(known)
  })

  test('has the form of each version: an asset report', async () => {
    const made = await apiAt(oldest)
      .assetReportCreate({ access_tokens: [access_token], days_requested: 30 })
      .orThrow()
    await world.client.control('sandboxClockAdvance', { seconds: 60 })
    const body = { asset_report_token: made.asset_report_token }
    const [then, later, now] = await Promise.all([
      apiAt(oldest).assetReportGet(body).orThrow(),
      apiAt(middle).assetReportGet(body).orThrow(),
      apiAt(newest).assetReportGet(body).orThrow(),
    ])
    const { differingPlaces } = await load('compare')
    expect(differingPlaces(later, now)).toEqual(['request_id'])
    const accounts = 'report.items[].accounts[]'
    const address = `${accounts}.owners[].addresses[].data`
    expect(differingPlaces(then, now)).toEqual(
      [
        'request_id',
        `${accounts}.type`,
        ...['country', 'postal_code', 'region', 'state', 'zip'].map((part) => `${address}.${part}`),
      ].sort(),
    )
  })
})

describe('the default of a client', () => {
  const [{ code: statement = '' } = {}] = snippetsOf(guide, 'sql')
  /** What a search without countries is answered, which only older versions accept. */
  const search = async (tenant: Tenant, headers = {}) => {
    const { body } = await tenant.post('/institutions/search', { query: 'bank' }, headers)
    return body['error_code'] ?? 'found'
  }
  // Alternately, so that each process is asked.
  const searchTwice = async (tenant: Tenant) => [await search(tenant), await search(tenant)]

  test('can be switched while every process serves, and back', async () => {
    const made = await world.client.control('sandboxClientCreate', { default_version: oldest })
    const tenant = world.tenantOf(made.client_id, made.secret)
    const switchTo = (version: Version) => {
      const sql = statement.replace('your-client-id', made.client_id).replace(newest, version)
      return world.service.database.transaction((db) => db.run(sql))
    }
    expect(await searchTwice(tenant)).toEqual(['found', 'found'])
    expect(await switchTo(newest)).toBe(1)
    expect(await searchTwice(tenant)).toEqual(['MISSING_FIELDS', 'MISSING_FIELDS'])
    expect(await search(tenant, { 'Service-Version': oldest })).toBe('found')
    await switchTo(middle)
    expect(await searchTwice(tenant)).toEqual(['found', 'found'])
  })

  test('is the newest one, unless the client is made with another', async () => {
    const made = await world.client.control('sandboxClientCreate', {})
    expect(await search(world.tenantOf(made.client_id, made.secret))).toBe('MISSING_FIELDS')
  })

  test('must be a version that exists', async () => {
    const body = { default_version: '2017-03-08' }
    const rejected = await world.client.post('/sandbox/client/create', body)
    expect(rejected.body).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message: expect.stringContaining(versions.join(', ')),
    })
  })
})
