import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector, Message, ReadContext, Step } from '../../src/connector/index.ts'
import { SourceFailed } from '../../src/connector/index.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import {
  findPullOf,
  type HarborBank,
  harborConnector,
  password,
  startHarborBank,
  token,
} from '../support/harbor-bank.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A connector that an option loads, from the link page to the transactions.

const institutionId = 'ins_harbor'
let bank: HarborBank
let service: TestService
let tenant: Tenant
let now: number
let logged: string[]
let connectors: Map<string, Connector>

beforeEach(async () => {
  bank = await startHarborBank()
  now = Date.parse('2026-03-16T12:00:00Z')
  logged = []
})
afterEach(async () => {
  await service.close()
  await bank.close()
})

/** Starts a service that has loaded a connector to the bank. */
async function load(more: Partial<Connector> = {}): Promise<void> {
  const connector = harborConnector({
    institutions: [
      {
        institution_id: institutionId,
        name: 'Harbor Quay Bank',
        country_codes: ['US'],
        settings: { host: bank.host },
      },
    ],
    ...more,
  })
  connectors = new Map([[connector.id, connector]])
  service = await startService({
    clock: () => now,
    settings: {
      environment: 'production',
      reportDelayMs: 0,
      callTargets: 'loopback',
      connectors,
    },
    log: {
      info: () => {},
      warn: (details, message) => logged.push(`${message}: ${JSON.stringify(details)}`),
      error: (error, message) => logged.push(`${message}: ${(error as Error).message}`),
    },
  })
  await listBuiltInInstitutions(service.service)
  tenant = await service.tenant()
}

/** Opens the link page and comes as far as the connector's question. */
async function toQuestion() {
  const request = { ...linkRequest, institution_id: institutionId }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  return { link_token, visitor, question: await visitor.send() }
}

async function link(answer: Record<string, string> = { user: 'marlow', password }) {
  const { link_token, visitor } = await toQuestion()
  const details = await visitor.send(answer)
  await visitor.send({ 'kind-0': 'checking' })
  await visitor.send({ account: '0' })
  const session = await tenant.api.linkTokenGet({ link_token }).orThrow()
  const [added] = session.link_sessions[0]?.results?.item_add_results ?? []
  const { access_token, item_id } = await tenant.api
    .itemPublicTokenExchange({ public_token: added?.public_token ?? '' })
    .orThrow()
  return { access_token, item_id, details }
}

const pullOf = (itemId: string) => findPullOf(service, itemId)

async function pull(itemId: string) {
  now = Math.max(now, Number((await pullOf(itemId)).due_at)) + 15_000
  return service.service.runner.pull(tenant.clientId, itemId)
}

async function list(access_token: string) {
  const { added } = await tenant.api.transactionsSync({ access_token }).orThrow()
  return added.map(({ date, name, amount, pending }) => [date, name, amount, pending])
}

describe('the link page', () => {
  test('lists the institution, and asks what the connector asks', async () => {
    await load()
    const { institutions } = await tenant.api
      .institutionsSearch({ query: 'harbor quay', country_codes: ['US'] })
      .orThrow()
    expect(institutions.map(({ institution_id }) => institution_id)).toEqual([institutionId])
    const { question } = await toQuestion()
    expect(question.heading).toBe('Connect to Harbor Quay Bank')
    expect(question.html).toContain('User name &lt;b&gt;')
    expect(question.html).toContain('As on your card')
    expect(question.html).toMatch(/name="password" type="password"/)
  })

  test('links the accounts, whose rows the service then reads', async () => {
    await load()
    const { access_token, item_id, details } = await link()
    expect(details.heading).toBe('About your account')
    expect(await pull(item_id)).toBeUndefined()
    expect(await list(access_token)).toEqual([['2026-03-10', 'Tide Coffee', 12.5, false]])
    const { secret, connector, state } = await pullOf(item_id)
    expect([connector, state]).toEqual(['harbor', '{"seen":1}'])
    expect(secret).not.toContain(token)
  })

  test('asks again where the bank rejects what was typed, and does not repeat it', async () => {
    await load()
    const { visitor } = await toQuestion()
    const again = await visitor.send({ user: 'marlow', password: 'wrong horse' })
    expect(again.html).toContain('does not accept what you entered')
    expect(again.html).not.toContain('wrong horse')
    expect((await visitor.send({ user: 'marlow', password })).heading).toBe('About your account')
  })

  test('keeps what let the service in through an outage', async () => {
    await load()
    const { visitor } = await toQuestion()
    const { asked } = bank
    const before = asked.length
    const sent = visitor.send({ user: 'marlow', password })
    while (asked.length === before) await new Promise((resolve) => setTimeout(resolve, 1))
    bank.statuses = [503]
    const wait = await sent
    expect(wait.html).toContain('does not answer at the moment')
    now += 11_000
    expect((await visitor.send()).heading).toBe('About your account')
    expect(bank.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
  })

  test('goes through several steps, each with its own secret', async () => {
    const steps: unknown[] = []
    await load({
      first: undefined as never,
      async authorize(ctx, previous, { fields }): Promise<Step> {
        steps.push([previous?.kind, previous && 'secret' in previous ? previous.secret : null])
        if (!previous) {
          const { state, address } = ctx.redirect
          const url = `https://harbor.example/consent?back=${encodeURIComponent(address)}`
          return { kind: 'redirect', url, state, secret: { verifier: 'v-1' } }
        }
        if (previous.kind === 'redirect' && fields['code'] === 'later') {
          return { kind: 'wait', pollMs: 10, secret: { consent: 'c-1' } }
        }
        return { kind: 'done', secret: { token } }
      },
    })
    const { visitor, question } = await toQuestion()
    expect(question.html).toContain('You log in on the website of your institution')
    const redirect = await visitor.send()
    const [, href = ''] = /href="(https:\/\/harbor\.example[^"]*)"/.exec(redirect.html) ?? []
    expect(decodeURIComponent(href)).toContain('/hosted/link/return')
    const { connection } = (await service.service.database.read((db) =>
      db.first<{ connection: string }>(
        'select connection from link_sessions where connection is not null',
      ),
    )) as { connection: string }
    const open = JSON.parse(service.service.keys.decrypt(connection)).question
    const back = await visitor.open(`/hosted/link/return?state=${open.state}&code=later`)
    expect(back.html).toContain('I have confirmed it')
    expect((await visitor.send()).heading).toBe('About your account')
    expect(steps).toEqual([
      [undefined, null],
      ['redirect', { verifier: 'v-1' }],
      ['wait', { consent: 'c-1' }],
    ])
  })

  test.each<[string, (host: string) => Step | Promise<never>]>([
    [
      'sends the user to a script',
      () => ({ kind: 'redirect', url: 'javascript:alert(1)', state: 's' }),
    ],
    ['gives no step', () => 5 as never],
    ['throws', () => Promise.reject(new Error(`no way: ${password}`))],
    ['throws at length', () => Promise.reject(new Error(`${'a'.repeat(185)} ${password}`))],
    [
      'throws a failure of a kind that there is not',
      () => Promise.reject(new SourceFailed('broken' as 'outage', password)),
    ],
  ])('says that the institution does not answer where the connector %s', async (_, answer) => {
    await load({ authorize: async () => answer(bank.host) })
    const { visitor } = await toQuestion()
    const shown = await visitor.send({ user: 'marlow', password })
    expect(shown.html).toContain('does not answer at the moment')
    expect(logged.join()).toContain('the connector harbor could not authorize')
    expect(logged.join()).not.toContain(password.slice(0, 8))
  })

  test.each<[string, string, Connector['authorize']]>([
    [
      'fails',
      'a source could not be connected: {"connector":"harbor","result":"setup","reason":"[hidden] must be renewed"}',
      () => Promise.reject(new SourceFailed('setup', `${password} must be renewed`)),
    ],
    [
      'may not be called',
      'the connector harbor could not authorize: the connector may not call this host',
      async (ctx) => {
        await ctx.call({ method: 'GET', url: new URL('https://other.example/') })
        return { kind: 'done', secret: 1 }
      },
    ],
  ])('leaves a line in the log where the source %s', async (_, line, authorize) => {
    await load({ authorize })
    const { visitor } = await toQuestion()
    await visitor.send({ user: 'marlow', password })
    expect(logged).toEqual([line])
  })

  test('gives the connector the fields of its form alone', async () => {
    const given: unknown[] = []
    await load({
      async authorize(_ctx, _previous, { fields }) {
        given.push(fields)
        return { kind: 'done', secret: { token } }
      },
    })
    const { visitor } = await toQuestion()
    await visitor.send({ user: 'marlow', password, other: 'x' })
    expect(given).toEqual([{ user: 'marlow', password }])
  })

  test('says in the log why an account cannot be shared', async () => {
    await load({
      async *read(ctx, state): AsyncGenerator<Message> {
        for await (const message of harborConnector().read(ctx, state)) {
          if (message.type !== 'account') continue
          yield { ...message, account: { ...message.account, currency: 'usd' } }
        }
      },
    })
    const { visitor } = await toQuestion()
    await visitor.send({ user: 'marlow', password })
    expect(logged).toEqual([
      'an account of a source cannot be connected: {"connector":"harbor","currency":"usd","barrier":"unsupportedCurrency"}',
    ])
  })
})

describe('a read', () => {
  test('that the bank rejects sets the Item to be repaired, and update mode repairs it', async () => {
    await load()
    const { access_token, item_id } = await link()
    await pull(item_id)
    bank.statuses = [401]
    await pull(item_id)
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    expect(item.error?.error_code).toBe('ITEM_LOGIN_REQUIRED')
    const { products: _, ...request } = linkRequest
    const { hosted_link_url } = await tenant.api
      .linkTokenCreate({ ...request, access_token })
      .orThrow()
    const visitor = createVisitor(service)
    const opened = await visitor.open(new URL(hosted_link_url).pathname)
    expect(opened.html).toContain('name="password"')
    now += 15_000
    await visitor.send({ user: 'marlow', password })
    await visitor.send()
    const repaired = await tenant.api.itemGet({ access_token }).orThrow()
    expect(repaired.item.error).toBeNull()
  })

  test('keeps to the limits of the connector', async () => {
    await load()
    const { item_id, access_token } = await link()
    await pull(item_id)
    const refresh = () => tenant.api.transactionsRefresh({ access_token })
    const asked = () => bank.asked.filter((one) => one.startsWith('GET')).length
    now += 1000
    const soon = await refresh()
    expect(soon.error?.error_code).toBe('TRANSACTIONS_REFRESH_LIMIT')
    for (let count = 0; count < 8; count += 1) {
      now += 60_000
      await refresh()
    }
    expect(asked()).toBe(6)
  })

  test('calls no host that the connector does not name, and no more often than it says', async () => {
    const other = await startHarborBank()
    const errors: string[] = []
    await load({
      async *read(ctx, state): AsyncGenerator<Message> {
        yield* harborConnector().read(ctx, state)
        if (ctx.balancesOnly) return
        const urls = [`http://${other.host}/account`, ...Array(4).fill(`http://${bank.host}/more`)]
        for (const url of urls) {
          await ctx
            .call({ method: 'GET', url: new URL(url) })
            .catch(({ message }: Error) => errors.push(message))
        }
      },
    })
    const { item_id } = await link()
    await pull(item_id)
    expect(other.asked).toEqual([])
    expect(errors).toEqual([
      'the connector may not call this host',
      'one call sends at most 3 requests',
      'one call sends at most 3 requests',
    ])
    await other.close()
  })

  test.each<[string, Partial<Connector>, string]>([
    [
      'tells an amount that is no decimal',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          for await (const message of harborConnector().read(ctx, state)) {
            yield message.type === 'transaction'
              ? { ...message, transaction: { ...message.transaction, amount: '12,5' } }
              : message
          }
        },
      },
      'transaction: `transaction.amount` must be a decimal with two places, such as -12.50',
    ],
    [
      'tells the secret in its state',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          yield* harborConnector().read(ctx, state)
          if (!ctx.balancesOnly) yield { type: 'state', state: { header: `Bearer ${token}` } }
        },
      },
      'state: it must hold no secret',
    ],
    [
      'tells a password in its state that JSON writes in another way',
      {
        authorize: async () => ({ kind: 'done', secret: { token, password: 'correct horse!"9' } }),
        async *read(ctx, state): AsyncGenerator<Message> {
          yield* harborConnector().read(ctx, state)
          if (!ctx.balancesOnly) yield { type: 'state', state: { login: 'correct horse!"9' } }
        },
      },
      'state: it must hold no secret',
    ],
    [
      'tells a balance in another currency',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          for await (const message of harborConnector().read(ctx, state)) {
            yield message.type === 'balance' && !ctx.balancesOnly
              ? { ...message, balance: { ...message.balance, currency: 'EUR' } }
              : message
          }
        },
      },
      'the connector told a balance in another currency than its account',
    ],
    [
      'returns a promise',
      {
        read: ((ctx, state) =>
          ctx.balancesOnly
            ? harborConnector().read(ctx, state)
            : Promise.reject(new Error(token))) as Connector['read'],
      },
      '`read` must return an async iterable',
    ],
    [
      'returns a plain generator',
      {
        read: (ctx: ReadContext, state: unknown) =>
          ctx.balancesOnly ? harborConnector().read(ctx, state) : ([][Symbol.iterator]() as never),
      },
      '`read` must return an async iterable',
    ],
    [
      'throws at length with a secret at the end',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          if (!ctx.balancesOnly) throw new TypeError(`${'a'.repeat(175)} ${token}`)
          yield* harborConnector().read(ctx, state)
        },
      },
      'aaa [hidde',
    ],
    [
      'tells rows before their account',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          for await (const message of harborConnector().read(ctx, state)) {
            if (ctx.balancesOnly || message.type !== 'account') yield message
          }
        },
      },
      'the connector told something of an account before the account',
    ],
    [
      'throws with a secret in the message',
      {
        async *read(ctx, state): AsyncGenerator<Message> {
          if (!ctx.balancesOnly) throw new TypeError(`cannot read ${token}`)
          yield* harborConnector().read(ctx, state)
        },
      },
      'the connector threw TypeError: cannot read [hidden]',
    ],
  ])('of a connector that %s changes nothing, and says so in the log', async (_, more, message) => {
    await load(more)
    const { access_token, item_id } = await link()
    expect(await pull(item_id)).toBe('INSTITUTION_NOT_RESPONDING')
    expect(await list(access_token).catch(() => [])).toEqual([])
    expect(logged.join('\n')).toContain(message)
    expect(logged.join('\n')).not.toContain(token.slice(0, 10))
  })

  test('shows the texts of a source in one line, without control characters', async () => {
    await load({
      async *read(ctx, state): AsyncGenerator<Message> {
        for await (const message of harborConnector().read(ctx, state)) {
          if (message.type === 'transaction') {
            const description = '\u202eTide\u0000 \nCoffee'
            yield { ...message, transaction: { ...message.transaction, description } }
          } else if (message.type === 'account') {
            yield { ...message, account: { ...message.account, name: 'Every\u0000day' } }
          } else yield message
        }
      },
    })
    const { access_token, item_id } = await link()
    expect(await pull(item_id)).toBeUndefined()
    expect(await list(access_token)).toEqual([['2026-03-10', 'Tide Coffee', 12.5, false]])
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts.map(({ name }) => name)).toEqual(['Every day'])
  })

  test('of many rows of one account takes several transactions, and goes on after a failure', async () => {
    await load()
    const { item_id } = await link()
    bank.entries = Array.from({ length: 2100 }, (_, index) => {
      return { id: `L${index}`, day: '2026-03-10', amount: '-0.01', text: 'Tide Coffee' }
    })
    const { database } = service.service
    const countRows = async () => {
      const row = await database.read((db) =>
        db.first<{ count: number }>('select count(*) as count from transactions', []),
      )
      return Number(row?.count)
    }
    const committed: number[] = []
    const { transaction } = database
    let fails = true
    vi.spyOn(database, 'transaction').mockImplementation(async (...args) => {
      const result = await transaction(...(args as Parameters<typeof transaction>))
      const count = await countRows()
      if (count !== (committed.at(-1) ?? 0)) committed.push(count)
      if (fails && count > 2000) {
        fails = false
        throw new Error('the process ends')
      }
      return result as never
    })
    expect(await pull(item_id)).toBe('INSTITUTION_NOT_RESPONDING')
    expect((await pullOf(item_id)).state).toBeNull()
    expect(await pull(item_id)).toBeUndefined()
    vi.restoreAllMocks()
    expect(committed).toEqual([2048, 2100])
    expect((await pullOf(item_id)).state).toBe('{"seen":2100}')
  })

  test('hides the secret in what a source tells people', async () => {
    await load({
      async *read(ctx, state): AsyncGenerator<Message> {
        yield* harborConnector().read(ctx, state)
        yield { type: 'issue', issue: { kind: 'notice', message: `Session ${token} ends soon` } }
      },
    })
    const { item_id } = await link()
    await pull(item_id)
    expect((await pullOf(item_id)).notices).toBe('Session [hidden] ends soon')
  })

  test('takes errors of another copy of the package as its own', async () => {
    class Copy extends Error {
      override readonly name = 'SourceFailed'
      readonly kind = 'login'
      readonly waitMs = 0
    }
    await load({
      async *read(ctx, state): AsyncGenerator<Message> {
        if (!ctx.balancesOnly) throw new Copy('the bank rejects the token')
        yield* harborConnector().read(ctx, state)
      },
    })
    expect(new Copy('') instanceof SourceFailed).toBe(false)
    const { item_id } = await link()
    await pull(item_id)
    expect((await pullOf(item_id)).failure).toBe('ITEM_LOGIN_REQUIRED')
  })
})

describe('an Item that is removed', () => {
  test('is revoked at its source, after outages too, and then its secret is forgotten', async () => {
    const revoked: unknown[] = []
    await load({
      async revoke({ secret }) {
        revoked.push(secret)
        if (revoked.length < 3) throw new SourceFailed('outage', 'the bank gave no response')
      },
    })
    const { access_token, item_id } = await link()
    await pull(item_id)
    await tenant.api.itemRemove({ access_token }).orThrow()
    for (let count = 0; count < 3; count += 1) await pull(item_id)
    expect(revoked).toEqual([{ token }, { token }, { token }])
    expect(await pullOf(item_id)).toBeUndefined()
    expect(bank.asked.filter((one) => one.startsWith('GET'))).toHaveLength(2)
  })

  test.each<[string, string, boolean]>([
    ['is forgotten at once where the connector cannot revoke', 'none', true],
    ['is forgotten where the source has ended the authorization', 'login', false],
  ])('%s', async (_, kind, isAtOnce) => {
    const revoke = () => Promise.reject(new SourceFailed('login', 'the token has ended'))
    await load(kind === 'login' ? { revoke } : {})
    const { access_token, item_id } = await link()
    await tenant.api.itemRemove({ access_token }).orThrow()
    if (!isAtOnce) await pull(item_id)
    expect(await pullOf(item_id)).toBeUndefined()
  })
})

test('rows with other ids are the same bookings under another key version', async () => {
  await load()
  const { access_token, item_id } = await link()
  await pull(item_id)
  bank.entries = bank.entries.map((one) => ({ ...one, id: `new-${one.id}` }))
  connectors.set('harbor', harborConnector({ keyVersion: 2 }))
  await pull(item_id)
  expect(await list(access_token)).toEqual([['2026-03-10', 'Tide Coffee', 12.5, false]])
})
