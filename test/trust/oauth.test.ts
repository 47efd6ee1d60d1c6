import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { createDatabase } from '../support/engine.ts'
import { isServerThere } from '../support/postgres-server.ts'
import {
  allFeatures,
  type Body,
  startService,
  type Tenant,
  type TestService,
} from '../support/service.ts'
import {
  allScopes,
  exchange,
  exchangeGrant,
  forClient,
  forSelf,
  granted,
  newUser,
  refresh,
  revoke,
  signIn,
  use,
} from '../support/token-steps.ts'
import { entropyOf } from './support/entropy.ts'
import { exchangeCases } from './support/exchange-cases.ts'
import { createRandom } from './support/random.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { askWith, belonging, nearly, newUserOf, places, tokensOf } from './support/token-places.ts'

const timeout = 600_000
const random = createRandom('oauth')
const pick = <Value>(values: readonly Value[]): Value =>
  values[random.between(0, values.length - 1)] as Value

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let service: TestService
  let remove = async () => {}
  let isThere: boolean
  let [one, two, three]: Tenant[] = []
  beforeAll(async () => {
    isThere = engine === 'sqlite' || canTry(await isServerThere(), 'no PostgreSQL answers')
    if (!isThere) return
    const place = engine === 'postgres' ? await createDatabase() : undefined
    const database = place ? await openPostgres(place.address) : openSqlite(':memory:')
    service = await startService({ database })
    remove = async () => {
      await service.close()
      await place?.remove()
    }
    ;[one, two, three] = [await service.tenant(), await service.tenant(), await service.tenant()]
  })
  afterAll(() => remove())

  const people = () => [one, two, three] as [Tenant, Tenant, Tenant]

  test('a token that is nearly right is as wrong as any', { timeout }, async () => {
    if (!isThere) return
    const [own] = people()
    const pair = await signIn(own)
    const user = await newUser(own)
    expect(await use(own, pair.access_token)).toBe(200)
    const figures = { guesses: 0, accepted: 0 }
    for (const token of [pair.access_token, pair.refresh_token, user.user_token]) {
      for (const guess of nearly(token)) {
        figures.guesses += 1
        const taken = [
          await use(own, guess),
          (await refresh(own, guess)).response.status,
          (await own.api.oauthToken(exchange(forSelf, own.clientId, guess))).response.status,
        ]
        if (taken.includes(200)) figures.accepted += 1
      }
    }
    report(`guessing near a token on ${engine}`, figures)
    expect(figures.accepted).toBe(0)
  })

  test('each token works where it belongs, and nowhere else, for every holder', {
    timeout,
  }, async () => {
    if (!isThere) return
    const figures = { cells: 0, accepted: 0 }
    const wrong: string[] = []
    for (const holder of people()) {
      for (const state of ['fresh', 'revoked', 'of a revoked parent'] as const) {
        const tokens = await tokensOf(one as Tenant, state)
        for (const [kind, token] of Object.entries(tokens)) {
          for (const [place, attempt] of Object.entries(places(people()))) {
            const belongs =
              place === belonging[kind as keyof typeof belonging] ||
              (kind === 'user' && place === 'for parties') ||
              (kind === 'refresh' && place === 'for a client')
            const works = belongs && holder === one && (state === 'fresh' || kind === 'user')
            const status = await attempt(holder, token)
            figures.cells += 1
            if (status === 200) figures.accepted += 1
            if ((status === 200) !== works)
              wrong.push(
                `${kind}, ${state}, ${place}, ${holder === one ? 'its own' : 'another'}: ${status}`,
              )
          }
        }
      }
    }
    report(
      `replay on ${engine}: every kind of token, in every place, in every state, by every holder`,
      figures,
    )
    expect(wrong).toEqual([])
  })

  test('scopes only ever become fewer, through refreshes and exchanges', { timeout }, async () => {
    if (!isThere) return
    const walks = atScale({ quick: 40, normal: 600, long: 6000 })
    const figures = { walks, steps: 0, refused: 0, wider: 0 }
    for (let walk = 0; walk < walks; walk += 1) {
      const held = allFeatures.filter((name) => !name.includes(':') || random.next() < 0.7)
      const owner = await service.tenant([...new Set([...held, 'exchange'])])
      const others = [owner, await service.tenant(allFeatures.filter(() => random.next() < 0.7))]
      let holder = owner
      let token = await signIn(owner)
      let before = (await granted(service, owner, token.access_token)).scopes
      for (let step = 0; step < 5; step += 1) {
        const scope = random.next() < 0.3 ? undefined : subset(allScopes).join(' ') || undefined
        const next = pick(others)
        const body: Body =
          next === holder || random.next() < 0.5
            ? { grant_type: 'refresh_token', refresh_token: token.refresh_token }
            : { ...exchange(forClient, next.clientId, token.refresh_token) }
        const answer = await holder.post('/oauth/token', { ...body, ...(scope ? { scope } : {}) })
        figures.steps += 1
        if (answer.status !== 200) {
          figures.refused += 1
          continue
        }
        if (body['grant_type'] === exchangeGrant) holder = next
        token = answer.body as unknown as typeof token
        const { scopes } = await granted(service, holder, token.access_token)
        const isWider = scopes.some((name) => !before.includes(name))
        const isMore = scope !== undefined && scopes.some((name) => !scope.includes(name))
        if (isWider || isMore) figures.wider += 1
        before = scopes
      }
    }
    report(
      `scopes on ${engine}: never wider than what they came from, nor than what was asked for`,
      figures,
    )
    expect(figures.wider).toBe(0)
    expect(figures.steps - figures.refused).toBeGreaterThan(walks)
  })

  test('an exchange gives what its type says to whom it names, and mixes nothing up', {
    timeout,
  }, async () => {
    if (!isThere) return
    const [own, other, foreign] = people()
    const cases = await exchangeCases(own, other, foreign)
    const figures = { combinations: 0, accepted: 0, for_a_third: 0 }
    const wrong: string[] = []
    for (const { name, body, works } of cases) {
      const answer = await own.post('/oauth/token', body)
      figures.combinations += 1
      if ((answer.status === 200) !== works) wrong.push(`${name}: ${answer.status}`)
      if (answer.status !== 200) continue
      figures.accepted += 1
      const token = String(answer.body['access_token'])
      if ((await use(foreign, token)) === 200) figures.for_a_third += 1
    }
    report(`exchanges on ${engine}: every type with every subject and audience`, figures)
    expect(wrong).toEqual([])
    expect(figures.for_a_third).toBe(0)
  })

  test('credentials in body and headers must be of one client', { timeout }, async () => {
    if (!isThere) return
    const [own, other] = people()
    const figures = { combinations: 0, accepted: 0 }
    const wrong: string[] = []
    const choices = [undefined, own, other]
    for (const headerId of choices)
      for (const headerSecret of choices)
        for (const basic of choices)
          for (const bodyId of choices)
            for (const bodySecret of choices) {
              const ids = [headerId, basic, bodyId].filter((one) => one !== undefined)
              const secrets = [headerSecret, basic, bodySecret].filter((one) => one !== undefined)
              const all = new Set([...ids, ...secrets])
              const works = ids.length > 0 && secrets.length > 0 && all.size === 1
              const status = await askWith(service, {
                headerId,
                headerSecret,
                basic,
                bodyId,
                bodySecret,
              })
              figures.combinations += 1
              if (status === 200) figures.accepted += 1
              if ((status === 200) !== works)
                wrong.push(
                  `${[headerId, headerSecret, basic, bodyId, bodySecret].map((one) => one?.clientId)} ${status}`,
                )
            }
    report(`client authentication on ${engine}: headers, Basic and body together`, figures)
    expect(wrong).toEqual([])
  })

  test('a wrong secret is rejected wherever it is wrong; how long that takes is measured', {
    timeout,
  }, async () => {
    if (!isThere) return
    const [own] = people()
    const rounds = atScale({ quick: 150, normal: 1500, long: 10_000 })
    const flip = (at: number) =>
      own.secret.slice(0, at) + (own.secret[at] === '0' ? '1' : '0') + own.secret.slice(at + 1)
    const wrongs: Record<string, [string, string]> = {
      first_letter: [own.clientId, flip(0)],
      last_letter: [own.clientId, flip(own.secret.length - 1)],
      too_short: [own.clientId, 'x'],
      no_such_client: ['nobody', own.secret],
    }
    const times = new Map(Object.keys(wrongs).map((name) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, [clientId, secret]] of Object.entries(wrongs)) {
        const start = performance.now()
        const { status } = await service.tenantOf(clientId, secret).post('/wallet/list', {})
        times.get(name)?.push(performance.now() - start)
        expect(status).toBe(400)
      }
    }
    const median = (all: number[]) =>
      Number((all.sort((a, b) => a - b)[all.length >> 1] ?? 0).toFixed(3))
    report(`wrong secrets on ${engine}: the time of their refusal`, {
      rounds,
      ...Object.fromEntries([...times].map(([name, all]) => [`${name}_median_ms`, median(all)])),
    })
  })

  test('no other grant, method, parameter or address issues or accepts a token', {
    timeout,
  }, async () => {
    if (!isThere) return
    const [own] = people()
    const { access_token, refresh_token } = await signIn(own)
    let refused = 0
    for (const grant_type of [
      'password',
      'authorization_code',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]) {
      const { status, body } = await own.post('/oauth/token', {
        grant_type,
        username: 'x',
        password: 'x',
        code: 'x',
        assertion: 'x',
      })
      expect([status, body['error']]).toEqual([400, 'unsupported_grant_type'])
      refused += 1
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'] as const) {
      const { statusCode } = await service.app.inject({
        method,
        url: `/oauth/token?grant_type=refresh_token&refresh_token=${refresh_token}`,
      })
      expect(statusCode).toBe(405)
      refused += 1
    }
    for (const url of [
      '/oauth/authorize',
      '/authorize',
      '/oauth/introspect',
      '/oauth/register',
      '/oauth/device',
    ]) {
      expect((await service.app.inject({ method: 'POST', url })).statusCode).toBe(404)
      refused += 1
    }
    const path = operations.assetReportGet.path
    const inQuery = await own.post(`${path}?access_token=${access_token}`, {})
    expect(inQuery.status).not.toBe(200)
    const metadata = (await service.app.inject('/.well-known/oauth-authorization-server')).json()
    expect(metadata.response_types_supported).toEqual([])
    // Some clients need the address. It never asks anybody, and never redirects.
    for (const response_type of ['code', 'token', 'id_token', 'code token', '']) {
      const query = {
        response_type,
        client_id: own.clientId,
        redirect_uri: 'https://other.example/',
      }
      const asked = await service.app.inject({ url: '/oauth/authorize', query })
      expect([asked.statusCode, asked.headers['location']]).toEqual([400, undefined])
      expect(asked.json()).toMatchObject({ error: 'unsupported_response_type' })
      refused += 1
    }
    expect(metadata.grant_types_supported).toHaveLength(3)
    report(`grants on ${engine}: three, at one address, by POST`, {
      grants: metadata.grant_types_supported.length,
      others_refused: refused,
    })
  })

  test('no header of a proxy says who calls, or where the service is', async () => {
    if (!isThere) return
    const [own] = people()
    const headers = {
      Forwarded: 'for=127.0.0.1;host=other.example.com;proto=https',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Host': 'other.example.com',
      'X-Forwarded-User': own.clientId,
      'X-Client-Id': own.clientId,
      'X-SSL-Client-Verify': 'SUCCESS',
      Host: 'other',
    }
    const payload = { grant_type: 'client_credentials' }
    const request = { method: 'POST', url: '/oauth/token', headers, payload } as const
    expect((await service.app.inject(request)).statusCode).toBe(401)
    const url = '/.well-known/oauth-authorization-server'
    const { body } = await service.app.inject({ url, headers })
    expect(body).not.toContain('other')
    report(`headers of proxies on ${engine} change nothing`, {
      headers: Object.keys(headers).length,
    })
  })

  test('revoking has no effect on what the token operation has not issued', async () => {
    if (!isThere) return
    const [own, other] = people()
    const { user_token } = await newUserOf(own)
    const pair = await signIn(other)
    const tried = [user_token, pair.access_token, pair.refresh_token]
    expect((await revoke(own, user_token)).response.status).toBe(200)
    expect(
      (await own.api.oauthToken(exchange(forSelf, own.clientId, user_token))).response.status,
    ).toBe(200)
    for (const token of tried.slice(1)) {
      const { body } = await own.post('/oauth/revoke', { token })
      expect(body['error']).toBe('unauthorized_client')
    }
    expect(await use(other, pair.access_token)).toBe(200)
    report(`revocation on ${engine}: only one's own, and only what was issued`, {
      tried: tried.length,
    })
  })

  test('guesses are counted, and rejected beyond the limit', { timeout }, async () => {
    if (!isThere) return
    const place = engine === 'postgres' ? await createDatabase() : undefined
    const database = place ? await openPostgres(place.address) : openSqlite(':memory:')
    const limited = await startService({
      database,
      rateLimits: 'production',
      clock: () => 1_773_669_900_000,
    })
    const guesser = await limited.tenant()
    const neighbour = await limited.tenant()
    const figures = {
      guesses: 0,
      refused_by_limit: 0,
      per_minute: 0,
      years_for_one_in_a_million: 0,
    }
    for (let guess = 0; guess < 1050; guess += 1) {
      const { status, headers } = await guesser.post('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: `svr-${guess}`,
      })
      figures.guesses += 1
      if (status !== 429) continue
      figures.refused_by_limit += 1
      expect(headers.get('Retry-After')).toBeTruthy()
    }
    figures.per_minute = figures.guesses - figures.refused_by_limit
    figures.years_for_one_in_a_million =
      2 ** entropyOf('oauth_refresh_token') / 1e6 / figures.per_minute / 525_960
    expect(
      (await neighbour.post('/oauth/token', { grant_type: 'client_credentials' })).status,
    ).toBe(200)
    report(`guessing without end on ${engine}, with RATE_LIMITS=production`, {
      ...figures,
      years_for_one_in_a_million: figures.years_for_one_in_a_million.toExponential(1),
    })
    expect(figures.per_minute).toBe(1000)
    await limited.close()
    await place?.remove()
  })
})

const subset = <Value>(values: readonly Value[]): Value[] =>
  values.filter(() => random.next() < 0.5)
