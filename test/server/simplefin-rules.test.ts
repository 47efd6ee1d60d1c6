import { describe, expect, test } from 'vitest'
import type { Message, ProtocolContext, Reading } from '../../src/server/protocols/protocol.ts'
import { claim } from '../../src/server/protocols/simplefin/claim.ts'
import { startOf, toDay, toTime } from '../../src/server/protocols/simplefin/days.ts'
import { read } from '../../src/server/protocols/simplefin/read.ts'

// What the protocol asks of a server, and what it takes of the responses, without a service.

const now = Date.parse('2026-03-16T12:00:00Z')
const secret = 'https://user%40:p%3Ass@bridge.example/simplefin/'

async function collect(reads: AsyncIterable<Message>): Promise<Message[]> {
  const messages: Message[] = []
  for await (const message of reads) messages.push(message)
  return messages
}

interface Answer {
  status?: number
  body: string
  headers?: object
}

/** The context of a call that is answered in this way, and the calls that are made. */
function answered({ status = 200, body, headers = {} }: Answer, settings: object = {}) {
  const calls: { method: string; url: URL; headers?: Record<string, string> }[] = []
  const ctx = {
    now,
    settings: { hosts: ['bridge.example'], ...settings },
    call: async (request: (typeof calls)[number]) => {
      calls.push(request)
      return { status, headers, body: Buffer.from(body) }
    },
  } as unknown as ProtocolContext
  return { ctx, calls }
}

const reading: Reading = {
  secret,
  window: { from: '2026-03-01', to: '2026-03-16' },
  state: undefined,
}

async function tell(set: object | string, more: Partial<Reading> = {}, settings: object = {}) {
  const body = typeof set === 'string' ? set : JSON.stringify({ errlist: [], ...set })
  const { ctx, calls } = answered({ body }, settings)
  const messages = await collect(read(ctx, { ...reading, ...more }))
  const of = <Type extends Message['type']>(type: Type) =>
    messages.filter((one): one is Extract<Message, { type: Type }> => one.type === type)
  return { messages, calls, of }
}

const noon = Date.parse('2026-03-10T12:00:00Z') / 1000
const account = {
  id: 'A',
  name: 'Checking (1234)',
  currency: 'USD',
  org: { domain: 'bank.example', name: 'Bank' },
  balance: '10.50',
  'available-balance': '9',
  'balance-date': noon,
  transactions: [
    { id: '1', posted: noon, transacted_at: noon - 86_400, amount: '-1.5', description: ' a  b ' },
  ],
}

describe('a request', () => {
  test('asks for the days of the window, with the credentials', async () => {
    const { calls } = await tell({ accounts: [] })
    const { url, headers, method } = calls[0] as (typeof calls)[number]
    expect([method, url.origin + url.pathname]).toEqual([
      'GET',
      'https://bridge.example/simplefin/accounts',
    ])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      version: '2',
      'start-date': String(Date.parse('2026-03-01') / 1000),
      'end-date': String(Date.parse('2026-03-17') / 1000 + 3600),
      pending: '1',
    })
    const basic = Buffer.from('user@:p:ss').toString('base64')
    expect(headers).toEqual({ Authorization: `Basic ${basic}` })
  })

  test('asks for balances alone, and keeps a percent sign that encodes nothing', async () => {
    const odd = { secret: 'https://u%:p@bridge.example', balancesOnly: true }
    const { calls, messages } = await tell({ accounts: [account] }, odd)
    expect(String(calls[0]?.url)).toBe('https://bridge.example/accounts?version=2&balances-only=1')
    const basic = Buffer.from('u%:p').toString('base64')
    expect(calls[0]?.headers).toEqual({ Authorization: `Basic ${basic}` })
    expect(messages.map(({ type }) => type)).not.toContain('covered')
    expect(messages.map(({ type }) => type)).not.toContain('state')
  })

  test('is not sent to a host that the institution no longer lists', async () => {
    const { ctx, calls } = answered({ body: '' }, { hosts: [] })
    await expect(collect(read(ctx, reading))).rejects.toMatchObject({
      message: 'the institution no longer lists the host',
    })
    expect(calls).toEqual([])
  })

  test.each([
    [402, {}, 'the source asks for a payment', undefined],
    [401, {}, 'the source no longer accepts the credentials', undefined],
    [403, {}, 'the source no longer accepts the credentials', undefined],
    [429, { 'retry-after': '60' }, 'the source asks for fewer requests', 60_000],
    [429, { 'retry-after': 'Mon, 16 Mar 2026 12:01:00 GMT' }, 'fewer requests', 60_000],
    [429, { 'retry-after': '999999' }, 'fewer requests', 86_400_000],
    [429, { 'retry-after': 'soon' }, 'fewer requests', 0],
    [503, { 'retry-after': 'Mon, 16 Mar 2026 11:00:00 GMT' }, 'answered with 503', 0],
    [503, {}, 'the source answered with 503', 0],
  ])('that is answered with %i %o fails', async (status, headers, message, waitMs) => {
    const { ctx } = answered({ status, headers, body: '' })
    const failure = await collect(read(ctx, reading)).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining(message) })
    if (waitMs !== undefined) expect(failure).toMatchObject({ waitMs })
  })

  test.each([
    ['no JSON', '<html>', 'the response is no JSON'],
    ['a list', '[]', 'the response is no set of accounts'],
    ['null', 'null', 'the response is no set of accounts'],
    ['no list', '{"accounts": {}}', 'the response is no set of accounts'],
    ['too many values', `[${'1,'.repeat(2_000_001)}1]`, 'the response has too many values'],
  ])('that is answered with %s fails', async (_case, body, message) => {
    await expect(tell(body)).rejects.toMatchObject({ message })
  })
})

describe('a response', () => {
  test('tells accounts with balances, rows and the days that are covered', async () => {
    const { messages } = await tell({ accounts: [account] })
    const ref = '["bank.example","A"]'
    const of = { currency: 'USD', date: '2026-03-10' }
    expect(messages).toEqual([
      {
        type: 'account',
        ref,
        account: {
          id: 'A',
          currency: 'USD',
          bank_id: 'bank.example',
          opaque: 'own',
          name: 'Checking (1234)',
          organization: 'Bank',
          mask: '1234',
        },
      },
      { type: 'balance', ref, balance: { type: 'closing', amount: '10.50', ...of } },
      { type: 'balance', ref, balance: { type: 'available', amount: '9.00', ...of } },
      {
        type: 'transaction',
        ref,
        transaction: {
          id: '1',
          status: 'posted',
          amount: '-1.50',
          ...of,
          description: 'a b',
          references: { transaction_date: '2026-03-09' },
        },
      },
      { type: 'covered', ref, from: '2026-03-01', to: '2026-03-16', pending: true },
      { type: 'state', state: { seen: {} } },
    ])
  })

  test.each([
    ['Checking (1234)', '1234'],
    ['Checking 1234', '1234'],
    ['1234', '1234'],
    ['Checking 51234', undefined],
    ['Checking (123)', undefined],
    ['1234 Checking', undefined],
    ['(1234) Checking', undefined],
    ['Checking (1234))', undefined],
    ['Checking 12 34', undefined],
    ['Checking1234', '1234'],
    ['(1234) ', '1234'],
  ])('%s: the digits at the end of a name are %s', async (name, mask) => {
    const { of } = await tell({ accounts: [{ ...account, name }] })
    expect(of('account')[0]?.account.mask).toBe(mask)
  })

  test('may leave out what the account is called', async () => {
    const { id, currency } = account
    const { messages } = await tell({ accounts: [{ id: 7, currency, name: ' ', x: id }] })
    expect(messages[0]).toEqual({
      type: 'account',
      ref: '["","7"]',
      account: { id: '7', currency: 'USD', bank_id: '', opaque: 'own' },
    })
    expect(messages.map(({ type }) => type)).toEqual(['account', 'state'])
    const { of } = await tell({ accounts: [{ id, currency }] })
    expect(of('account')[0]?.account).toEqual({
      id: 'A',
      currency: 'USD',
      bank_id: '',
      opaque: 'own',
    })
  })

  test.each([
    [{ org: { domain: 'd', id: 'i', 'sfin-url': 'u', name: 'N' } }, 'd', 'N'],
    [{ org: { domain: 'd' } }, 'd', 'd'],
    [{ org: { id: 'i', 'sfin-url': 'u' } }, 'i', undefined],
    [{ org: { 'sfin-url': 'u' }, conn_id: 'c1' }, 'c1', 'First'],
    [{ org: { 'sfin-url': 'u' } }, 'u', undefined],
    [{ conn_id: 'c2', conn_name: 'Own' }, 'c2', 'c2'],
    [{ conn_id: 'c9', conn_name: 'Own' }, 'c9', 'Own'],
  ])('names the organization: %o', async (members, key, name) => {
    const connections = [{ conn_id: 'c1', name: 'First' }, { conn_id: 'c2' }, { name: 'x' }]
    const { org: _, ...rest } = account
    const { of } = await tell({ accounts: [{ ...rest, ...members }], connections })
    expect(of('account')[0]?.account).toMatchObject({ bank_id: key })
    expect(of('account')[0]?.account.organization).toBe(name)
  })

  test('may have two accounts of one id at two organizations', async () => {
    const other = { ...account, org: { domain: 'other.example' } }
    const { of } = await tell({ accounts: [account, other, { ...account, id: 'B' }] })
    expect(of('account').map((one) => one.account.opaque)).toEqual(['shared', 'shared', 'own'])
    const twice = await tell({ accounts: [account, account] })
    expect(twice.of('account').map((one) => one.account.opaque)).toEqual(['own', 'own'])
  })

  test('says what of it cannot be used', async () => {
    const transactions = [
      { posted: noon, amount: '1' },
      { id: '2', posted: noon, amount: 'much' },
      { id: '3', pending: false, amount: '1' },
    ]
    const { of } = await tell({
      accounts: [
        { id: 'A' },
        { currency: 'USD' },
        { ...account, balance: 'x', transactions },
        'no',
      ],
    })
    const none = { kind: 'account', message: 'an account has no id or no currency' }
    expect(of('issue').map(({ issue }) => issue)).toEqual([
      none,
      none,
      { kind: 'account', message: expect.stringMatching(/^`balance`: /) },
      { kind: 'row', message: 'a row has no id' },
      { kind: 'row', message: expect.stringMatching(/^a row: /) },
      { kind: 'row', message: 'a posted row has no time' },
    ])
    expect(of('balance').map(({ balance }) => balance.type)).toEqual(['available'])
  })

  test.each([
    [
      { code: 'con.auth', msg: 'Log in.' },
      { kind: 'login', message: 'Log in.' },
    ],
    [
      { code: 'con.authority', message: 'M' },
      { kind: 'notice', message: 'M' },
    ],
    [{ code: 'gen.api' }, { kind: 'notice', message: 'gen.api' }],
    [{ msg: 'x'.repeat(300) }, { kind: 'notice', message: 'x'.repeat(200) }],
  ])('tells an error with a code: %o', async (error, issue) => {
    const { of } = await tell({ accounts: [], errlist: [error], errors: ['again'] })
    expect(of('issue').map((one) => one.issue)).toEqual([issue])
  })

  test.each([
    ['You must reauthenticate.', 'login'],
    ['Please re-auth at your bank', 'login'],
    ['Log in again', 'login'],
    ['Your credentials changed', 'login'],
    ['The bank is slow', 'notice'],
  ])('tells an error without a code: %s', async (message, kind) => {
    const { of } = await tell({ accounts: [], errlist: undefined, errors: [message] })
    expect(of('issue').map((one) => one.issue)).toEqual([{ kind, message }])
  })

  test.each([
    [{ account_id: 'A' }, ['B']],
    [{ account_id: 'Z' }, ['A', 'B']],
    [{ conn_id: 'c1' }, ['B']],
    [{ conn_id: 'c9' }, ['A', 'B']],
    [{ code: 'gen.api' }, ['A']],
    [{ code: 'con.slow' }, []],
  ])('covers no days of what an error concerns: %o', async (error, covered) => {
    const accounts = [
      { ...account, conn_id: 'c1' },
      { ...account, id: 'B', conn_id: 'c2', transactions: [] },
    ]
    const { of } = await tell({ accounts, errlist: [error] })
    expect(of('covered').map(({ ref }) => JSON.parse(ref)[1])).toEqual(covered)
  })

  test('posts a row that is told as pending too, and reads its words', async () => {
    const posted = { id: '1', posted: noon, amount: '1', payee: 'Mill', memo: 'm' }
    const transactions = [
      { ...posted, pending: true },
      posted,
      { id: '2', amount: '2', payee: 'Mill' },
      { id: '3', posted: noon, transacted_at: noon + 86_400, amount: '3', description: 'd' },
    ]
    const { of } = await tell({ accounts: [{ ...account, transactions }] })
    const rows = of('transaction').map(({ transaction }) => transaction)
    expect(rows).toEqual([
      expect.objectContaining({
        id: '1',
        status: 'posted',
        description: 'm',
        counterparty: 'Mill',
      }),
      expect.objectContaining({ id: '2', status: 'pending', description: 'Mill' }),
      expect.objectContaining({ id: '3', status: 'posted', description: 'd', date: '2026-03-10' }),
    ])
    expect(rows[1]?.date).toBe('2026-03-16')
    expect(rows[2]).not.toHaveProperty('references')
    expect(rows[2]).not.toHaveProperty('counterparty')
    // The next read gives the row without a time the same day.
    const state = of('state')[0]?.state as { seen: Record<string, string> }
    expect(Object.values(state.seen)).toEqual(['2026-03-16'])
    const day = Object.keys(state.seen).map((key) => [key, '2026-03-14'])
    const seen = { state: { seen: Object.fromEntries(day) } }
    const next = await tell({ accounts: [{ ...account, transactions }] }, seen)
    expect(next.of('transaction')[1]?.transaction.date).toBe('2026-03-14')
    // A read of older days keeps what it was not told.
    const older = { ...seen, window: { from: '2026-01-01', to: '2026-01-31' } }
    const kept = await tell({ accounts: [] }, older)
    expect(kept.of('state')[0]).toEqual({ type: 'state', ...seen })
    expect((await tell({ accounts: [] }, seen)).of('state')[0]?.state).toEqual({ seen: {} })
  })
})

describe('a time of a server', () => {
  test('is one that a bank can mean', () => {
    expect([toTime(noon), toTime(String(noon)), toTime(-1), toTime('-1')]).toEqual([
      noon,
      noon,
      -1,
      -1,
    ])
    const earliest = Date.parse('1900-01-01') / 1000
    const latest = Date.parse('2100-12-31') / 1000
    expect([toTime(earliest), toTime(latest)]).toEqual([earliest, latest])
    const others = [0, '0', '', 'x', '1x', null, undefined, {}, earliest - 1, latest + 1]
    expect(others.map(toTime)).toEqual(others.map(() => undefined))
  })

  test('is of a day where the institution is', () => {
    expect(toDay(Date.parse('2026-03-10T02:00:00Z') / 1000, 'America/New_York')).toBe('2026-03-09')
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati']) {
      for (const day of ['2026-03-08', '2026-11-01', '2026-06-30']) {
        const start = startOf(day, zone)
        expect([toDay(start, zone), toDay(start - 1, zone) < day]).toEqual([day, true])
      }
    }
  })
})

describe('a setup token', () => {
  const tokenOf = (url: string) => Buffer.from(url).toString('base64')
  const good = tokenOf('https://bridge.example/claim/1')

  test('is exchanged for the access address, also with spaces in it', async () => {
    const { ctx, calls } = answered({ body: ` ${secret}\n` })
    expect(await claim(ctx, `${good.slice(0, 9)}\n ${good.slice(9)}`)).toBe(secret)
    expect(calls).toMatchObject([{ method: 'POST' }])
    expect(String(calls[0]?.url)).toBe('https://bridge.example/claim/1')
  })

  test.each([
    ['of no address', tokenOf('hello'), 'the whole text'],
    ['of other signs', `${good}!`, 'the whole text'],
    ['too long', 'A'.repeat(4097), 'the whole text'],
    ['of another host', tokenOf('https://evil.example/1'), 'does not list'],
    ['of another protocol', tokenOf('ftp://bridge.example/1'), 'does not list'],
  ])('%s calls nobody', async (_case, token, message) => {
    const { ctx, calls } = answered({ body: secret })
    await expect(claim(ctx, token)).rejects.toThrow(message)
    expect(calls).toEqual([])
  })

  test.each([
    [403, secret, 'was used before'],
    [404, secret, 'was used before'],
    [410, secret, 'was used before'],
    [500, secret, 'the claim was answered with 500'],
    [200, 'hello', 'the claim gave no access address'],
    [200, 'https://user:p@evil.example/', 'does not list'],
    [200, 'https://bridge.example/', 'the access address has no credentials'],
  ])('fails where the answer is %i %s', async (status, body, message) => {
    await expect(claim(answered({ status, body }).ctx, good)).rejects.toThrow(message)
  })
})
