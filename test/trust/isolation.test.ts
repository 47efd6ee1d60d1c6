import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { createDatabase } from '../support/engine.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { type Body, startWorld, type TestService } from '../support/service.ts'
import { namingFields } from './support/identifiers.ts'
import { type Inhabitant, lastOf, populate } from './support/populate.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import {
  type Extent,
  isAlike,
  isEchoed,
  leaksIn,
  look,
  lookAsBearer,
  nameOf,
  namesOfItsOwn,
  ownView,
  type Sight,
  send,
} from './support/strangers.ts'

const timeout = atScale({ quick: 120_000, normal: 600_000, long: 1_800_000 })
const extent: Extent = atScale({
  quick: { mostOfKind: 1, everyKind: false },
  normal: { mostOfKind: 2, everyKind: false },
  long: { mostOfKind: 3, everyKind: true },
})
const noon = Date.parse('2026-03-16T15:00:00Z')

let service: TestService
let remove: () => Promise<void>

/** Starts a service on an engine, with people and a clock that stands still. */
async function startOn(engine: 'sqlite' | 'postgres'): Promise<Inhabitant[]> {
  const place = engine === 'postgres' ? await createDatabase() : undefined
  const database = place ? await openPostgres(place.address) : openSqlite(':memory:')
  service = await startWorld({ database, clock: () => noon })
  remove = async () => {
    await service.close()
    await place?.remove()
  }
  const people: Inhabitant[] = []
  for (const name of ['one', 'two', 'three', 'reset']) {
    people.push(await populate(await service.tenant(), name))
  }
  await people[3]?.tenant.control('sandboxReset', {})
  return people
}

/** Fields whose answers may tell what is another's from what does not exist, and why. */
const decided: Readonly<Record<string, string>> = {
  '/oauth/revoke token': 'the issue excepts it: what was issued to another is refused by name',
  '/transfer/get originator_client_id': 'a client id is no secret; the code is stated for it',
  '/sandbox/transfer/create originator_client_id': 'any client that exists can be sent for',
}

const label = "a name that the caller's own systems give, which leads to nothing here"
const position = "a position in the caller's own list, valid for every caller"

/** Fields that nothing of another's can be put into, and why. */
const unowned: Readonly<Record<string, string>> = {
  '/institutions/search options.payment_initiation.payment_id': label,
  '/institutions/search options.payment_initiation.consent_id': label,
  '/asset_report/create options.client_report_id': label,
  '/protect/event/send event.protect_session_id': label,
  '/protect/event/send protect_session_id': label,
  '/protect/event/send device_session_id': label,
  '/sandbox/account/update persistent_account_id': label,
  '/sandbox/transfer/create recurring_transfer_id': label,
  '/sandbox/webhook/list cursor': position,
  '/sandbox/request/list cursor': position,
}
/** Even where something of every kind is tried everywhere. */
const neverTried = Object.keys(unowned).filter((field) => unowned[field] === position)

interface Tally {
  pairs: number
  probes: number
  bearers: number
  byte_equal: number
  told_apart: number
  told_apart_by_decision: number
  leaks: number
  echoes: number
}

/** What was seen, and how long answers took: of another's, and of what does not exist. */
interface Seen {
  tally: Tally
  /** The fields that something of another's was put into. */
  fields: Set<string>
  wrong: string[]
  foreign: number[]
  unknown: number[]
}

/** Takes down what a caller sees of an owner's. */
async function watch(sights: AsyncGenerator<Sight>, secret: Set<string>, who: string, seen: Seen) {
  const { tally, wrong } = seen
  for await (const sight of sights) {
    const { foreign, unknown, what } = sight
    tally.probes += 1
    if (sight.field !== undefined) seen.fields.add(sight.field)
    seen.foreign.push(foreign.ms)
    seen.unknown.push(unknown.ms)
    if (foreign.text === unknown.text) tally.byte_equal += 1
    else if (sight.field !== undefined && sight.field in decided) tally.told_apart_by_decision += 1
    else if (!isAlike(sight)) {
      tally.told_apart += 1
      wrong.push(
        `${who}: ${what}: ${foreign.status} ${foreign.text} / ${unknown.status} ${unknown.text}`,
      )
    }
    const told = leaksIn(sight, secret)
    if (told.length > 0) tally.leaks += 1
    for (const name of told) wrong.push(`${who}: ${what} tells ${name}`)
    if (isEchoed(sight)) {
      tally.echoes += 1
      wrong.push(`${who}: ${what} is repeated: ${foreign.text}`)
    }
    progress(`${tally.probes} probes`)
  }
}

const median = (values: number[]): number =>
  Number((values.sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2))

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let people: Inhabitant[]
  let isThere: boolean
  beforeAll(async () => {
    isThere = engine === 'sqlite' || canTry(await isServerThere(), 'no PostgreSQL answers')
    if (isThere) people = await startOn(engine)
  })
  afterAll(async () => {
    if (isThere) await remove()
  })

  test("what is another client's is answered like what does not exist", { timeout }, async () => {
    if (!isThere) return
    const tally = {
      pairs: 0,
      probes: 0,
      bearers: 0,
      byte_equal: 0,
      told_apart: 0,
      told_apart_by_decision: 0,
      leaks: 0,
      echoes: 0,
    }
    const seen: Seen = { tally, fields: new Set(), wrong: [], foreign: [], unknown: [] }
    const living = people.slice(0, 3)
    for (const owner of people) {
      const isReset = owner === people[3]
      const own = namesOfItsOwn(owner, people)
      const before = isReset ? [] : await ownView(service, owner)
      for (const caller of isReset ? people : living.filter((one) => one !== owner)) {
        tally.pairs += 1
        const who = `${caller.name} of ${owner.name}`
        // What a client of its own has reset is as gone for it as for others.
        const secret = caller === owner ? new Set<string>() : own
        await watch(look(service, caller, owner, { ...extent, secret: own }), secret, who, seen)
        const before = tally.probes
        if (caller !== owner) await watch(lookAsBearer(service, caller, owner), secret, who, seen)
        tally.bearers += tally.probes - before
      }
      if (!isReset) expect(await ownView(service, owner)).toEqual(before)
    }
    report(`isolation on ${engine}: nothing of another client's is seen, told apart or changed`, {
      fields: seen.fields.size,
      fields_of_the_contract: namingFields().length,
      ...tally,
      median_ms_foreign: median(seen.foreign),
      median_ms_unknown: median(seen.unknown),
    })
    expect(seen.wrong).toEqual([])
    const unprobed = namingFields()
      .map(nameOf)
      .filter((field) => !seen.fields.has(field))
    expect(unprobed).toEqual(extent.everyKind ? neverTried : Object.keys(unowned))
    expect(tally.bearers).toBeGreaterThan(0)
  })

  test('a link to an image works for what it was made for only', { timeout }, async () => {
    if (!isThere) return
    const [one, two] = people as [Inhabitant, Inhabitant]
    const links = await imageLinks(one)
    const get = async (url: string) => {
      const answer = await service.app.inject({ method: 'GET', url: url.replace(service.url, '') })
      return `${answer.statusCode} ${answer.headers['content-type']} ${answer.headers['content-type']?.toString().includes('png') ? '' : answer.body.replace(/"request_id":"\w+"/, '')}`
    }
    const [link = ''] = links
    expect(await get(link)).toMatch(/^200 image\/png/)
    const missing = await get(link.replace(/signature=.{3}/, 'signature=AAA'))
    expect(missing).not.toMatch(/^200/)
    const attempt = lastOf(two, 'identity_verification_id') ?? ''
    const altered = links.flatMap((url) => [
      url.replace(one.tenant.clientId, two.tenant.clientId),
      url.replace(/idv_\w+/, attempt),
      url.replace(/idv_\w+/, attempt).replace(one.tenant.clientId, two.tenant.clientId),
      url.replace(/expires=\d+/, 'expires=9999999999999'),
      url.replace(/signature=[^&]+/, ''),
      url.replace(/signature=[^&]+/, 'signature='),
      url.replace(/([a-z_]+)\d+\.png/, '$19.png'),
    ])
    const answers = new Set(await Promise.all(altered.map(get)))
    report(`links to images on ${engine}: an altered one is as good as none`, {
      links: links.length,
      altered: altered.length,
      answers: answers.size,
    })
    expect([...answers]).toEqual([missing])
  })

  test('a token for several parties works for them, and shows that user alone', {
    timeout,
  }, async () => {
    if (!isThere) return
    const [one, two, three] = people as [Inhabitant, Inhabitant, Inhabitant]
    const exchanged = await one.tenant.post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:service:params:credit:multi-user',
      subject_token: lastOf(one, 'user_token'),
      audience: two.tenant.clientId,
    })
    expect(exchanged.status).toBe(200)
    const bearer = { Authorization: `Bearer ${exchanged.body['access_token']}` }
    const statusOf = async (who: Inhabitant, path: string, body: Body) =>
      (await send(service, who, path, body, bearer)).status
    const report_ = { user_token: lastOf(one, 'user_token') }
    const foreign = await send(service, three, '/asset_report/get', report_, bearer)
    const invented = { Authorization: `Bearer sva-${'A'.repeat(22)}==` }
    const unknown = await send(service, three, '/asset_report/get', report_, invented)
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
    expect(foreign.status).toBe(401)
    let opened = 0
    for (const { path, body } of one.calls.values()) {
      if (path.startsWith('/oauth/') || namingFields().every((field) => field.path !== path))
        continue
      const without = await send(service, two, path, body)
      const named = await send(service, two, path, body, bearer)
      if (named.status === 200 && without.status !== 200) opened += 1
    }
    report(`tokens for several parties on ${engine}: they open nothing but a user's report`, {
      operations_tried: one.calls.size,
      opened,
    })
    expect(opened).toBe(0)
    expect(await statusOf(two, '/asset_report/get', {})).not.toBe(401)
  })

  test("clocks, faults, lists of requests and limits are a client's own", { timeout }, async () => {
    if (!isThere) return
    const [one, two] = people as [Inhabitant, Inhabitant]
    const before = await ownView(service, two)
    await one.tenant.control('sandboxClockAdvance', { seconds: 40 * 86_400 })
    const paths = [...two.calls.keys()].filter((path) => !path.startsWith('/sandbox/'))
    for (const path of paths.filter(
      (one) => one.startsWith('/') && !one.startsWith('/item/public'),
    )) {
      await one.tenant.post('/sandbox/error/inject', {
        operation: path,
        error_code: 'INTERNAL_SERVER_ERROR',
        times: 9,
      })
    }
    const hit = await send(service, one, '/accounts/get', one.calls.get('/accounts/get')?.body)
    expect(hit.status).toBe(500)
    expect(await ownView(service, two)).toEqual(before)
    await two.tenant.control('sandboxErrorClear', {})
    const still = await send(service, one, '/accounts/get', one.calls.get('/accounts/get')?.body)
    expect(still.status).toBe(500)
    const lists = await Promise.all(
      [one, two].map(async ({ tenant }) => {
        const { requests } = await tenant.control('sandboxRequestList', { count: 100 })
        return requests.map(({ request_id }) => request_id)
      }),
    )
    const shared = lists[0]?.filter((id) => lists[1]?.includes(id))
    report(`clocks, faults and lists on ${engine}: one client moves nothing of another's`, {
      operations_with_a_fault: paths.length,
      requests_in_lists: lists.flat().length,
      in_both: shared?.length ?? 0,
    })
    expect(shared).toEqual([])
  })
})

/** The images of an attempt that has gone through every step. */
async function imageLinks(owner: Inhabitant): Promise<string[]> {
  const id = [...(owner.names.get('identity_verification_id') ?? [])][0] ?? ''
  let answer: unknown
  for (let step = 0; step < 8; step += 1) {
    const { status, body } = await owner.tenant.post('/sandbox/identity_verification/advance', {
      identity_verification_id: id,
      outcome: 'success',
    })
    if (status === 200) answer = body
  }
  return [...new Set(JSON.stringify(answer).match(/http[^"]+\/images\/[^"]+/g) ?? [])]
}
