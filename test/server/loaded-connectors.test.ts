import { describe, expect, test } from 'vitest'
import type { Connector, Message, Step } from '../../src/connector/index.ts'
import { SourceFailed } from '../../src/connector/index.ts'
import { harborConnector, password, token } from '../support/harbor-bank.ts'
import {
  bank,
  institutionId,
  link,
  list,
  load,
  logged,
  pull,
  pullOf,
  service,
  startHarborBeforeEach,
  tenant,
  toQuestion,
  wait,
} from '../support/harbor-ground.ts'

// A connector that an option loads, on the link page.

startHarborBeforeEach()

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
    const shown = await sent
    expect(shown.html).toContain('does not answer at the moment')
    wait(11_000)
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
      `a source could not be connected: {"connector":"harbor","institution_id":"${institutionId}","result":"setup","reason":"[hidden] must be renewed"}`,
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
