import { describe, expect, test } from 'vitest'
import type { Connector, Message, ReadContext } from '../../src/connector/index.ts'
import { SourceFailed } from '../../src/connector/index.ts'
import { checkConnector, checkNames, testConnector } from '../../src/connector-tests/index.ts'
import { simplefin } from '../../src/server/protocols/simplefin/simplefin.ts'
import { upstream } from '../../src/server/protocols/upstream/upstream.ts'
import { simplefinBank as bank } from '../support/simplefin-bank.ts'
import { upstreamBank } from '../support/upstream-bank.ts'

// The kit that every connector must pass: our own one does, and one with a fault fails by its name.

describe('the connector of SimpleFIN', () => {
  testConnector(test, () => simplefin, bank)
})

describe('the connector to another service', () => {
  testConnector(test, () => upstream, upstreamBank)
})

/** Changes what the connector tells. */
const telling = (
  change: (messages: Message[], ctx: ReadContext, state: unknown) => Iterable<Message>,
): Connector => ({
  ...simplefin,
  async *read(ctx, state) {
    const messages: Message[] = []
    for await (const message of simplefin.read(ctx, state)) messages.push(message)
    yield* change(messages, ctx, state)
  },
})

/** Changes each message. */
const changing = (change: (message: Message, ctx: ReadContext) => Message) =>
  telling((messages, ctx) => messages.map((message) => change(message, ctx)))

type Row = Extract<Message, { type: 'transaction' }>

const changingRows = (change: (row: Row['transaction']) => Row['transaction']) =>
  changing((message) =>
    message.type === 'transaction'
      ? { ...message, transaction: change(message.transaction) }
      : message,
  )

const naming = (name: string) =>
  changing((message) =>
    message.type === 'account' ? { ...message, account: { ...message.account, name } } : message,
  )

/** Takes rows for known that are older than the latest one, as a cursor by date does. */
const withCursor = (): Connector =>
  telling((messages, _, state) => {
    const { last = '', ids = [] } = (state ?? {}) as { last?: string; ids?: string[] }
    const rows = messages
      .filter((one) => one.type === 'transaction')
      .map(({ transaction }) => transaction)
    const isTold = (one: Message) =>
      one.type !== 'transaction' ||
      ids.includes(one.transaction.id ?? '') ||
      one.transaction.date >= last
    const told = messages.filter((one) => one.type !== 'state' && isTold(one))
    const latest = rows
      .map(({ date }) => date)
      .sort()
      .at(-1)
    return [...told, { type: 'state', state: { last: latest, ids: rows.map(({ id }) => id) } }]
  })

const throwing = (change: (error: SourceFailed, ctx: ReadContext) => unknown): Connector => ({
  ...simplefin,
  async *read(ctx, state) {
    try {
      yield* simplefin.read(ctx, state)
    } catch (error) {
      throw error instanceof SourceFailed ? change(error, ctx) : error
    }
  },
})

let made = 0

const faults: [name: string, fault: string, connector: Connector][] = [
  [
    'tells an account before what belongs to it',
    'balances first',
    telling((messages) =>
      messages.toSorted(
        (one, other) => Number(other.type === 'balance') - Number(one.type === 'balance'),
      ),
    ),
  ],
  [
    'tells its state after its rows',
    'the state first',
    telling((messages) =>
      messages.toSorted(
        (one, other) => Number(other.type === 'state') - Number(one.type === 'state'),
      ),
    ),
  ],
  [
    'says which days it has covered',
    'more days than asked for',
    changing((message) =>
      message.type === 'covered' ? { ...message, from: '2020-01-01' } : message,
    ),
  ],
  ['tells late rows of days that it has covered before', 'a cursor by date', withCursor()],
  [
    'tells pending rows as pending',
    '`covered` without pending rows',
    changing((message) => (message.type === 'covered' ? { ...message, pending: false } : message)),
  ],
  [
    'gives rows the same ids in each read',
    'ids that are new each time',
    changingRows((row) => ({ ...row, id: `row-${++made}` })),
  ],
  [
    'tells accounts and balances alone when asked for these',
    'no attention to `balancesOnly`',
    {
      ...simplefin,
      read: (ctx, state) => simplefin.read({ ...ctx, balancesOnly: false }, state),
    },
  ],
  [
    'tells the currency of each account, balance and row',
    'one currency for all accounts',
    changing((message) =>
      message.type === 'account'
        ? { ...message, account: { ...message.account, currency: 'USD' } }
        : message,
    ),
  ],
  [
    'tells the currency of each account, balance and row',
    'one currency for all balances',
    changing((message) =>
      message.type === 'balance'
        ? { ...message, balance: { ...message.balance, currency: 'USD' } }
        : message,
    ),
  ],
  [
    'tells the currency of each account, balance and row',
    'one currency for all rows',
    changingRows((row) => ({ ...row, currency: 'USD' })),
  ],
  [
    'tells the text of each row',
    'one text for all rows',
    changingRows((row) => ({ ...row, description: 'x' })),
  ],
  ['tells accounts apart by their names', 'one name for all accounts', naming('Account')],
  ['tells accounts apart by their names', 'no names', naming('')],
  [
    'asks for a new login when the bank rejects the secret',
    'an outage for a login',
    throwing(
      ({ kind, message, waitMs }) =>
        new SourceFailed(kind === 'login' ? 'outage' : kind, message, waitMs),
    ),
  ],
  [
    'waits as long as the bank asks',
    'no wait',
    throwing(({ kind, message }) => new SourceFailed(kind, message)),
  ],
  [
    'keeps secrets out of messages, states and errors',
    'the access address in an error',
    throwing(({ kind, waitMs }, { secret }) => new SourceFailed(kind, `no ${secret}`, waitMs)),
  ],
  [
    'has the shape of a connector',
    'a limit that is none',
    { ...simplefin, limits: { ...simplefin.limits, callsPerDay: 0 } },
  ],
]

describe('a connector with a planted fault', () => {
  test.each(faults)('fails "%s": %s', async (name, _, connector) => {
    const results = await checkConnector(() => connector, bank)
    const failed = results.filter(({ result }) => result === 'failed')
    expect(failed.map((one) => one.name)).toEqual([name])
  })

  test('fails every check of rows with the signs of debts', async () => {
    const connector = changingRows((row) => ({
      ...row,
      amount: row.amount.startsWith('-') ? row.amount.slice(1) : `-${row.amount}`,
    }))
    const results = await checkConnector(() => connector, bank)
    const failed = results.filter(({ result }) => result === 'failed').map(({ name }) => name)
    expect(failed).toContain('tells each account, balance and row of the bank once')
  })

  test('fails where it calls another host, even if it hides that', async () => {
    const connector: Connector = {
      ...simplefin,
      limits: { requestsPerCall: 2 },
      async *read(ctx, state) {
        const url = new URL('https://collector.example.net/')
        await ctx.call({ method: 'GET', url }).catch(() => undefined)
        yield* simplefin.read(ctx, state)
      },
    }
    const results = await checkConnector(() => connector, bank)
    const named = results.find(({ name }) => name.startsWith('calls only its hosts'))
    expect(named).toMatchObject({ result: 'failed', message: expect.stringContaining('collector') })
  })

  test('fails where it sends more requests than it says', async () => {
    const connector: Connector = {
      ...simplefin,
      async *read(ctx, state) {
        yield* simplefin.read(ctx, state)
        yield* simplefin.read(ctx, state)
      },
    }
    const results = await checkConnector(() => connector, bank)
    const named = results.find(({ name }) => name.startsWith('calls only its hosts'))
    expect(named?.message).toBe('it sent over 1 requests')
  })
})

test('registers each check with any function for tests', async () => {
  const tests = new Map<string, () => Promise<void>>()
  const wrong = { ...simplefin, version: '' }
  testConnector(
    (name, work) => tests.set(name, work),
    () => wrong,
    { ...bank, lacks: ['pending rows'] },
  )
  expect([...tests.keys()]).toEqual(checkNames.filter((name) => !/pending/.test(name)))
  await expect(tests.get('has the shape of a connector')?.()).rejects.toThrow('`version` must be')
  await expect(tests.get('authorizes a user')?.()).resolves.toBeUndefined()
})

test('a text may have other white space, and more words', async () => {
  const connector = changingRows((row) => ({
    ...row,
    description: ` CARD  ${row.description.replaceAll(' ', '  ')}`,
  }))
  const results = await checkConnector(() => connector, bank)
  expect(results.filter(({ result }) => result === 'failed')).toEqual([])
})

test('a bank with one currency and no names skips their checks', async () => {
  const connector = telling((messages) =>
    messages.map((message) => {
      if (message.type !== 'account') return message
      const { name: _, ...account } = message.account
      return { ...message, account: { ...account, currency: 'GBP' } }
    }),
  )
  const lacks = ['other currencies', 'names of accounts'] as const
  const results = await checkConnector(() => connector, { ...bank, lacks })
  expect(results.filter(({ result }) => result === 'failed')).toEqual([])
})

test('a bank that lacks something skips its checks', async () => {
  const results = await checkConnector(() => simplefin, { ...bank, lacks: ['pending rows'] })
  expect(results.map(({ name }) => name)).toEqual(checkNames)
  expect(results.filter(({ result }) => result === 'skipped')).toHaveLength(2)
  expect(results.filter(({ result }) => result === 'failed')).toEqual([])
})
