import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector, Message, ReadContext } from '../../src/connector/index.ts'
import { SourceFailed } from '../../src/connector/index.ts'
import { harborConnector, password, startHarborBank, token } from '../support/harbor-bank.ts'
import {
  bank,
  connectors,
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
import { createVisitor, linkRequest } from '../support/link-visitor.ts'

// A connector that an option loads: what it reads, and how its Items end.

startHarborBeforeEach()

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
    wait(15_000)
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
    wait(1000)
    const soon = await refresh()
    expect(soon.error?.error_code).toBe('TRANSACTIONS_REFRESH_LIMIT')
    for (let count = 0; count < 8; count += 1) {
      wait(60_000)
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

describe('an authorization that becomes no Item', () => {
  const revoked: unknown[] = []
  const revoke: Connector['revoke'] = async ({ secret }) => {
    revoked.push(secret)
  }
  const planned = () =>
    service.service.database.single.all<{ item_id: string; secret: string }>(
      'select item_id, secret from item_pulls where revokes = 1',
    )
  const leave = async (visitor: ReturnType<typeof createVisitor>) => {
    const [, path = ''] = /href="([^"]*\/leave)"/.exec(visitor.last().html) ?? []
    await visitor.open(path)
    return visitor.send()
  }
  beforeEach(async () => {
    revoked.length = 0
    await load({ revoke })
  })

  /** The service may have done by itself what is due. */
  const ended = () =>
    vi.waitFor(
      async () => {
        for (const { item_id, secret } of await planned()) {
          expect(secret).not.toContain(token)
          wait(15_000)
          await service.service.runner.pull(tenant.clientId, item_id)
        }
        expect(revoked).toEqual([{ token }])
        expect(await planned()).toEqual([])
      },
      { timeout: 20_000, interval: 100 },
    )

  test('ends at its source where the user leaves', async () => {
    const { visitor } = await toQuestion()
    await visitor.send({ user: 'marlow', password })
    await leave(visitor)
    await ended()
  })

  test('ends where the link token expires, and not where an Item was linked', async () => {
    const { item_id } = await link()
    const { visitor } = await toQuestion()
    await visitor.send({ user: 'marlow', password })
    expect([revoked, await planned()]).toEqual([[], []])
    wait(5 * 3_600_000)
    await service.service.runner.runDue(tenant.clientId)
    await ended()
    expect(await pull(item_id)).toBeUndefined()
  })

  test('of update mode goes on where the user leaves: it is that of the Item', async () => {
    const { access_token, item_id } = await link()
    await pull(item_id)
    bank.statuses = [401]
    await pull(item_id)
    const { products: _, ...request } = linkRequest
    const { hosted_link_url } = await tenant.api
      .linkTokenCreate({ ...request, access_token })
      .orThrow()
    const visitor = createVisitor(service)
    await visitor.open(new URL(hosted_link_url).pathname)
    wait(15_000)
    await visitor.send({ user: 'marlow', password })
    await leave(visitor)
    expect(await planned()).toEqual([])
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
