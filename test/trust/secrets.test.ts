import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { givenKey } from '../../src/server/config/encryption-key.ts'
import { loadDataKeys } from '../../src/server/data-keys/load-data-keys.ts'
import { keysOf } from '../../src/server/kernel/keys.ts'
import { createDatabase, openPlace, type Place } from '../support/engine.ts'
import { january, writeStatement } from '../support/import-file.ts'
import { attempt } from '../support/installed-package.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  call,
  exampleNamed,
  fillColumns,
  knownColumns,
  listEncrypted,
  optionsOf,
  startAt,
} from '../support/rotation.ts'
import type { Body } from '../support/service.ts'
import { misplaceSecrets } from './support/misplace.ts'
import { createSearch, type Needle, writtenAs } from './support/needles.ts'
import { type Inhabitant, ownBody, populate } from './support/populate.ts'
import { createRandom } from './support/random.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { startRun, type WatchedRun } from './support/watched-run.ts'

const timeout = 600_000
const key = randomBytes(32)
const random = createRandom('secrets')
const rotations = atScale({ quick: 1, normal: 8, long: 40 })
const tenants = atScale({ quick: 1, normal: 4, long: 20 })

let run: WatchedRun | undefined
let place: Place
afterEach(async () => {
  await run?.stop()
  run = undefined
  await place?.remove()
})

async function placeOn(engine: 'sqlite' | 'postgres'): Promise<Place> {
  if (engine === 'postgres') return createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  return {
    address: join(folder, 'service.sqlite'),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/**
 * No bank answers here that would give the service a secret, and nobody is at the page of a verification:
 * test/server has them.
 */
const ofOthers = [
  'item_pulls.secret',
  'identity_checks.payload',
  'identity_verification_pictures.picture_key',
  'identity_verifications.evidence',
  'identity_verifications.results',
  'verification_sessions.drafts',
]

const environmentOf = ({ address }: Place): Record<string, string> =>
  address.startsWith('postgres:') ? { DATABASE_URL: address } : { DATA_DIR: join(address, '..') }

/** Everything of a store as bytes, by where it is. */
function bytesOf({ address }: Place): [name: string, bytes: Buffer][] {
  if (address.startsWith('postgres:')) {
    const url = address.replace(/\?.*/, '')
    const dump = execFileSync('pg_dump', [url], { maxBuffer: 2 ** 30 })
    return [['dump', dump]]
  }
  const folder = join(address, '..')
  return readdirSync(folder).flatMap((name): [string, Buffer][] =>
    name.endsWith('.sock') ? [] : [[name, readFileSync(join(folder, name))]],
  )
}

/** That of the contract's examples, which an institution of the default seed data has. */
const publicRouting = '021000021'

const secretKinds = [
  'access_token',
  'public_token',
  'user_token',
  'asset_report_token',
  'token',
  'refresh_token',
]

/** One that the seed data names, and whose Item goes on with the clock. */
const fixtureToken = 'access-sandbox-00000000-0000-4000-8000-000000000041'

/** Everything that was a secret in a run, from the responses and from the encrypted data. */
async function needlesOf(people: readonly Inhabitant[]): Promise<Needle[]> {
  const told = people.flatMap(({ tenant, names }) => [
    { name: 'secret', value: tenant.secret },
    ...secretKinds.flatMap((kind) =>
      [...(names.get(kind) ?? [])].map((value) => ({ name: kind, value })),
    ),
  ])
  const database = await openPlace(place.address)
  const dataKeys = await database.read((db) =>
    loadDataKeys(db, givenKey(key.toString('hex'), undefined)),
  )
  await database.close()
  const keys = keysOf(dataKeys)
  const encrypted = (await listEncrypted(place)).map(({ at, value }) => ({
    name: at,
    value: keys.decrypt(value),
  }))
  const master = [
    { name: 'ENCRYPTION_KEY', value: key },
    { name: 'the key for hashes', value: dataKeys.hashing },
    ...dataKeys.columns.map((value) => ({ name: 'a key for columns', value })),
  ]
  // Fewer letters are met by chance, and the routing numbers of institutions are public.
  const long = encrypted.filter(
    ({ value, name }) => value.length >= 8 && name !== 'settings.value' && value !== publicRouting,
  )
  const given = { name: 'an access token of the world', value: fixtureToken }
  return [given, ...told, ...long, ...master]
}

/** Has a webhook delivered to a receiver that says something. */
async function deliver({ tenant, names }: Inhabitant): Promise<void> {
  const receiver = await startReceiver()
  receiver.behave((response) => void response.end('received'))
  const [access_token] = names.get('access_token') ?? []
  await tenant.post('/item/webhook/update', { access_token, webhook: receiver.url })
  const fired = { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' }
  const { status } = await tenant.post('/sandbox/item/fire_webhook', fired)
  expect(status).toBe(200)
  await receiver.arrivals(1)
  await receiver.close()
}

/** Creates a wallet by a key, with which the answer is stored. */
async function sendOnce({ tenant }: Inhabitant): Promise<void> {
  const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') }
  const { status } = await tenant.post('/wallet/create', { iso_currency_code: 'EUR' }, headers)
  expect(status).toBe(200)
}

/** Imports a file for a user whose id nobody else must learn, as an operator does. */
async function importStatement({ tenant }: Inhabitant, env: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'statement-'))
  const file = join(folder, 'january.ofx')
  writeFileSync(file, writeStatement('OFX 1.x', january))
  const user = ['--client', tenant.clientId, '--user', `person-${randomBytes(8).toString('hex')}`]
  const args = [join(root, 'src/cli/main.ts'), 'import', file, ...user]
  const { code, stderr } = await attempt(process.execPath, args, { cwd: folder, env })
  rmSync(folder, { recursive: true })
  expect([code, stderr]).toEqual([0, ''])
}

/** Ends a link session of a user of whom much is known, and whose webhook tells a public token. */
async function finishLink({ tenant }: Inhabitant): Promise<void> {
  const request = exampleNamed('linkTokenCreateRequestUser')
  const { body } = await tenant.post('/link/token/create', request)
  const { link_token } = body
  const finished = await tenant.post('/sandbox/link/session/finish', {
    link_token,
    status: 'SUCCESS',
  })
  expect([finished.status, finished.body]).toMatchObject([200, {}])
}

describe.each(['sqlite', 'postgres'] as const)('a run on %s', (engine) => {
  test('leaves no secret and no sensitive number anywhere', { timeout }, async () => {
    if (engine === 'postgres' && !canTry(await isServerThere(), 'no PostgreSQL answers')) return
    place = await placeOn(engine)
    run = await startRun({ ...environmentOf(place), ENCRYPTION_KEY: key.toString('hex') })
    const people: Inhabitant[] = []
    for (let count = 0; count < tenants; count += 1) {
      people.push(await populate(await run.tenant(), `tenant-${count}`))
    }
    const [first] = people as [Inhabitant]
    const planted = `planted-${randomBytes(8).toString('hex')}`
    const withPassword = `http://user:${planted}@127.0.0.1:9/hooks?key=${planted}`
    await first.tenant.control('sandboxPublicTokenCreate', {
      institution_id: 'ins_109508',
      initial_products: ['transactions'],
      options: { webhook: withPassword },
    })
    await first.tenant.post('/webhook/listen', {})
    await sendOnce(first)
    await deliver(first)
    await sendNumbers(first)
    await finishLink(first)
    await importStatement(first, { ...environmentOf(place), ENCRYPTION_KEY: key.toString('hex') })
    const misplaced = await misplaceSecrets(run, first)
    const lists = await Promise.all(
      ['/sandbox/request/list', '/sandbox/webhook/list'].map(async (path) =>
        JSON.stringify((await first.tenant.post(path, { count: 100 })).body),
      ),
    )
    const metrics = await run.metrics()
    const whileRunning = bytesOf(place)
    if (engine === 'sqlite') await run.kill()
    await run.stop()
    const seen: [string, Buffer][] = [
      ...whileRunning.map(([name, bytes]): [string, Buffer] => [`${name}, while it ran`, bytes]),
      ...bytesOf(place),
      ['log', Buffer.from(run.printed())],
      ['error answers', Buffer.from(run.refusals.join('\n'))],
      ['request list', Buffer.from(lists[0] ?? '')],
      ['webhook list', Buffer.from(lists[1] ?? '')],
      ['metrics', Buffer.from(metrics)],
      ['traces', Buffer.from(run.traced())],
    ]
    const needles = [...(await needlesOf(people)), ...numbers]
    const columns = new Set((await listEncrypted(place)).map(({ at }) => at))
    const search = createSearch(needles)
    const found = seen.flatMap(([name, bytes]) => search(bytes).map((what) => `${name}: ${what}`))
    const missed = missedWhenPlanted(needles, seen)
    const plain = createSearch([{ name: 'planted', value: planted }])
    const places = seen.filter(([, bytes]) => plain(bytes).length > 0).map(([name]) => name)
    report(`a full run on ${engine} at LOG_LEVEL=trace leaves no secret behind`, {
      secrets: needles.length,
      spellings_each: writtenAs('12345678').length,
      requests_with_misplaced_secrets: misplaced,
      places: seen.length,
      mb_searched: Number(
        (seen.reduce((sum, [, bytes]) => sum + bytes.length, 0) / 1e6).toFixed(1),
      ),
      log_kb: Math.round(run.printed().length / 1000),
      found: found.length,
      planted_and_missed: missed,
    })
    // The webhook of a link session names its token, and the list shows what was sent.
    const isToBeTold = (one: string) => one.startsWith('webhook list: link_tokens.link_token,')
    expect(found.filter((one) => !isToBeTold(one))).toEqual([])
    expect(missed).toBe(0)
    expect(columns).toEqual(new Set(knownColumns.filter((one) => !ofOthers.includes(one))))
    for (const [name, bytes] of seen)
      if (!name.includes('-')) expect(bytes.length, name).toBeGreaterThan(100)
    // What is stored as it is, is found where it is stored, and in no output.
    expect(places.filter((name) => !/sqlite|dump|webhook list/.test(name))).toEqual([])
    expect(places.some((name) => /sqlite|dump/.test(name))).toBe(true)
  })
})

describe.each(['sqlite', 'postgres'] as const)('a new ENCRYPTION_KEY on %s', (engine) => {
  test('takes the place of the old one, at whatever moment it is interrupted', {
    timeout,
  }, async () => {
    if (engine === 'postgres' && !canTry(await isServerThere(), 'no PostgreSQL answers')) return
    place = await placeOn(engine)
    const figures = { rotations: 0, kills: 0, values: 0, outdated: 0 }
    let current = randomBytes(32).toString('hex')
    const before = await startAt(optionsOf(place, current))
    await fillColumns(before)
    const wallets = await call(before.address, '/wallet/list', {})
    await before.close()
    for (let round = 0; round < rotations; round += 1) {
      const next = randomBytes(32).toString('hex')
      for (const options of [optionsOf(place, next, current), optionsOf(place, next)]) {
        await killSoon(options)
        figures.kills += 1
        const whole = await startAt(options)
        await whole.renewed
        expect(await call(whole.address, '/wallet/list', {})).toEqual(wallets)
        await whole.close()
      }
      current = next
      figures.rotations += 1
      const values = await listEncrypted(place)
      const [id] = (values[0]?.value ?? '').split('.')
      figures.values = values.length
      figures.outdated += values.filter(({ value }) => !value.startsWith(`${id}.`)).length
    }
    report(
      `ENCRYPTION_KEY rotated on ${engine}, with kills in the middle: nothing is lost`,
      figures,
    )
    expect(figures.outdated).toBe(0)
  })
})

/** Starts a service, and kills it before, while or after it has put the new key in place. */
async function killSoon(options: Record<string, string>): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(root, 'src/server/main.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, ...options },
    stdio: 'ignore',
  })
  await sleep(random.between(200, 1500))
  const exit = once(child, 'exit')
  if (child.exitCode === null && child.kill('SIGKILL')) await exit
}

const ssn = '731-55-2084'
const idNumber = '731552085'
const accountNumber = '73910552884126'
// The example's bank is one of the default seed data, and its routing number is no secret.
const routingNumber = '739105522'

/** Numbers that a caller sends, and that are stored encrypted or not at all. */
const numbers: Needle[] = [
  { name: 'SSN', value: ssn },
  { name: 'SSN in digits', value: ssn.replaceAll('-', '') },
  { name: 'id number', value: idNumber },
  { name: 'account number', value: accountNumber },
  { name: 'routing number', value: routingNumber },
]

/** Sends each of them wherever it can be sent. */
async function sendNumbers(inhabitant: Inhabitant): Promise<void> {
  const send = async (path: string, more: Body) => {
    const { status, body } = await inhabitant.tenant.post(path, ownBody(inhabitant, path, more))
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  }
  const access_tokens = [...(inhabitant.names.get('access_token') ?? [])].slice(0, 1)
  await send('/asset_report/create', { access_tokens, options: { user: { ssn } } })
  const identity = {
    ...(exampleNamed('userCreateRequestConsumerReport')['consumer_report_user_identity'] as Body),
    ssn_full: ssn,
    ssn_last_4: '2084',
  }
  await send('/user/create', {
    client_user_id: 'with-an-ssn',
    identity: undefined,
    consumer_report_user_identity: identity,
  })
  const { identity: known } = exampleNamed('userCreateRequest') as { identity: Body }
  await send('/user/create', {
    client_user_id: 'with-an-id-number',
    identity: { ...known, id_numbers: [{ value: idNumber, type: 'us_ssn' }] },
  })
  const { user } = exampleNamed('identityVerificationCreateRequest') as { user: Body }
  await send('/identity_verification/create', {
    client_user_id: 'with-an-id-number',
    user: { ...user, id_number: { value: idNumber, type: 'us_ssn' } },
  })
  await send('/wallet/create', { iso_currency_code: 'EUR' })
  await send('/transfer/migrate_account', {
    account_number: accountNumber,
    routing_number: routingNumber,
    wire_routing_number: routingNumber,
  })
}

/** How many of the secrets the search misses that are put into the very same bytes. */
function missedWhenPlanted(needles: readonly Needle[], seen: readonly [string, Buffer][]): number {
  let missed = 0
  const some = needles.filter((_, index) => index % Math.ceil(needles.length / 20) === 0)
  const search = createSearch(some)
  for (const [, bytes] of seen) {
    const middle = bytes.length >> 1
    const sample = bytes.subarray(Math.max(0, middle - 50_000), middle + 50_000)
    const half = sample.length >> 1
    const written = some.flatMap(({ value }) => writtenAs(value).map(([, one]) => one))
    const planted = Buffer.concat([sample.subarray(0, half), ...written, sample.subarray(half)])
    const found = new Set(search(planted))
    for (const { name, value } of some) {
      for (const [way] of writtenAs(value)) if (!found.has(`${name}, ${way}`)) missed += 1
    }
  }
  return missed
}
