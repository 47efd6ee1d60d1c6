import { describe, expect, test } from 'vitest'
import {
  type Connection,
  discardStaged,
  isBusy,
  isStalled,
} from '../../src/server/hosted/connection.ts'
import { readCookie, writeCookie } from '../../src/server/hosted/cookie.ts'
import {
  isStepOpen,
  numberOf,
  type StepName,
  stepAfter,
  stepBefore,
  stepsOf,
} from '../../src/server/hosted/step-order.ts'
import { saidBy } from '../../src/server/hosted/steps/said-by.ts'
import { en } from '../../src/server/hosted/texts/en.ts'
import { readPageKey, writePageKey } from '../../src/server/kernel/page-key.ts'

// Rules of the hosted pages that need no service.

type Token = Parameters<typeof stepsOf>[0]

const fresh = { item_id: null, institution_id: null }
const flows: Record<string, { token: Token; steps: StepName[] }> = {
  'in the sandbox': {
    token: { ...fresh, environment: 'sandbox' },
    steps: ['consent', 'institution', 'login', 'accounts'],
  },
  'in the sandbox, at a given institution': {
    token: { ...fresh, institution_id: 'ins_1', environment: 'sandbox' },
    steps: ['consent', 'login', 'accounts'],
  },
  'in the sandbox, again': {
    token: { ...fresh, item_id: 'item', environment: 'sandbox' },
    steps: ['login'],
  },
  'in production': {
    token: { ...fresh, environment: 'production' },
    steps: ['consent', 'institution', 'connect', 'share'],
  },
  'in production, at a given institution': {
    token: { ...fresh, institution_id: 'ins_1', environment: 'production' },
    steps: ['consent', 'connect', 'share'],
  },
  'in production, again': {
    token: { item_id: 'item', institution_id: 'ins_1', environment: 'production' },
    steps: ['connect', 'share'],
  },
}

describe.each(Object.entries(flows))('the questions %s', (_name, { token, steps }) => {
  test('come one after the other', () => {
    expect(stepsOf(token)).toEqual(steps)
    expect(steps.map((step) => stepAfter(token, step))).toEqual([...steps.slice(1), steps.at(-1)])
    expect(steps.map((step) => stepBefore(token, step, false))).toEqual([
      undefined,
      ...steps.slice(0, -1),
    ])
    expect(steps.map((step) => numberOf(token, step))).toEqual(steps.map((_, index) => index + 1))
  })

  const isOpen = (reached: StepName, step: string, asksDetails = false) =>
    isStepOpen(token, { reached, asksDetails }, step)

  test('can be answered as far as the user came', () => {
    for (const [index, reached] of steps.entries()) {
      const open = steps.filter((step) => isOpen(reached, step))
      expect(open).toEqual(steps.slice(0, index + 1))
      expect(isOpen(reached, 'tea')).toBe(false)
    }
  })
})

describe('a question that only some users get', () => {
  const token: Token = { ...fresh, environment: 'sandbox' }
  const real: Token = { ...fresh, environment: 'production' }
  const isOpen = (of: Token, reached: StepName, step: StepName, asksDetails = false) =>
    isStepOpen(of, { reached, asksDetails }, step)

  test('is a code, as a part of the login', () => {
    expect(stepBefore(token, 'code', false)).toBe('login')
    expect(numberOf(token, 'code')).toBe(3)
    expect([isOpen(token, 'code', 'login'), isOpen(token, 'code', 'code')]).toEqual([true, true])
    const closed = [isOpen(token, 'login', 'code'), isOpen(token, 'accounts', 'code')]
    expect([...closed, isOpen(token, 'code', 'accounts')]).toEqual([false, false, false])
  })

  test('is about accounts, between the connection and the choice', () => {
    expect(stepBefore(real, 'details', true)).toBe('connect')
    expect([stepBefore(real, 'share', true), stepBefore(real, 'share', false)]).toEqual([
      'details',
      'connect',
    ])
    expect(numberOf(real, 'details')).toBe(3)
    expect(isOpen(real, 'details', 'connect')).toBe(true)
    expect(isOpen(real, 'details', 'share')).toBe(false)
    expect(isOpen(real, 'share', 'details', true)).toBe(true)
    expect(isOpen(real, 'share', 'details', false)).toBe(false)
    expect(isOpen(real, 'connect', 'details', true)).toBe(false)
  })
})

describe('the cookie of a session', () => {
  const key = { clientId: 'client', secret: 'a'.repeat(64) }
  const http = { publicUrl: 'http://localhost', sessionId: 's1' }
  const https = { ...http, publicUrl: 'https://link.example' }
  const pairOf = (cookie: typeof http) => writeCookie(cookie, key, 9.1).split('; ')[0] ?? ''

  test('belongs to the pages, or with https to the host alone', () => {
    const attributes = (cookie: typeof http, seconds: number) =>
      writeCookie(cookie, key, seconds).split('; ').slice(1)
    const usual = ['HttpOnly', 'SameSite=Lax']
    expect(attributes(http, 9.1)).toEqual(['Path=/hosted/link', 'Max-Age=10', ...usual])
    expect(attributes(https, -1)).toEqual(['Path=/', 'Secure', 'Max-Age=0', ...usual])
    expect(pairOf(http)).toMatch(/^link-s1=/)
    expect(pairOf(https)).toMatch(/^__Host-link-s1=/)
  })

  test('is found among others, however they are separated', () => {
    const pair = pairOf(http)
    const found = readCookie(pair, http)
    expect(found).toEqual(key)
    for (const header of [`a=1; ${pair}`, `a=1;${pair};b=2`, `a=1;   ${pair}; link-s2=x`]) {
      expect(readCookie(header, http)).toEqual(found)
    }
    for (const header of ['', `x${pair}`, 'link-s2=x', pairOf(https)]) {
      expect(readCookie(header, http)).toBeUndefined()
    }
  })
})

describe('rows that a connector has staged', () => {
  const done = { connector: 'simplefin', secret: 'staged' } as NonNullable<Connection['done']>
  const question = { kind: 'columns', secret: 'table' } as NonNullable<Connection['question']>
  const redirect = { kind: 'redirect', secret: 'table' } as unknown as NonNullable<
    Connection['question']
  >

  /** What is discarded where the second connection takes the place of the first one. */
  async function discarded(before: Connection, after?: Connection): Promise<string[]> {
    const found: string[] = []
    const connectorOf = (name: string) => ({
      discard: async (_ctx: unknown, secret: string) => void found.push(`${name} ${secret}`),
    })
    const connectors = { simplefin: connectorOf('simplefin'), file: connectorOf('file') }
    await discardStaged({} as never, { connectors } as never, before, after)
    return found
  }

  test('are discarded with what the user has authorized, unless it stays', async () => {
    expect(await discarded({ done })).toEqual(['simplefin staged'])
    expect(await discarded({ done }, { done })).toEqual([])
    const other = { ...done, secret: 'other' }
    expect(await discarded({ done }, { done: other })).toEqual(['simplefin staged'])
    expect(await discarded({}, { done })).toEqual([])
  })

  test('are discarded with the question about their columns, unless it stays', async () => {
    expect(await discarded({ question })).toEqual(['file table'])
    expect(await discarded({ question }, { question })).toEqual([])
    expect(await discarded({ question: redirect })).toEqual([])
    expect(await discarded({ done, question })).toEqual(['simplefin staged', 'file table'])
  })

  test('need no connector that the service no longer has', async () => {
    await discardStaged({} as never, { connectors: {} } as never, { done, question })
    const none = { simplefin: {}, file: {} }
    await discardStaged({} as never, { connectors: none } as never, { done, question })
  })
})

describe('the key of a page', () => {
  const secret = '0f'.repeat(32)

  test.each(['a', 'lender', 'client-\u00e9'])('leads back to the client %s', (clientId) => {
    const text = writePageKey({ clientId, secret })
    expect(text).toMatch(/^[\w-]+\.(0f){32}$/)
    expect(readPageKey(text)).toEqual({ clientId, secret })
  })

  test.each([
    '',
    'YQ',
    `.${secret}`,
    `YQ.${secret}0`,
    `YQ.${secret.slice(1)}`,
    `YQ.${secret.toUpperCase()}`,
    ` YQ.${secret}`,
    `${'YQ'.repeat(65)}.${secret}`,
    // Another encoding of the same client.
    `YR.${secret}`,
    // No text in UTF-8.
    `_w.${secret}`,
  ])('is not read from %j', (text) => {
    expect(readPageKey(text)).toBeUndefined()
  })
})

describe('work for somebody who waits', () => {
  const at = (nowMs: number) => ({ nowMs }) as Parameters<typeof isBusy>[0]['ctx']

  test('goes on for a minute at most', () => {
    const busyAt = (nowMs: number, connection: Connection) => isBusy({ connection, ctx: at(nowMs) })
    expect(busyAt(1000, {})).toBe(false)
    expect([1000, 60_999, 61_000].map((now) => busyAt(now, { since: 1000 }))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('has come to a halt where nothing was added for three minutes', () => {
    const stalledAt = (nowMs: number, connection: Connection) =>
      isStalled({ connection, ctx: at(nowMs) })
    const connection = { adding: { at: 1000 } } as Connection
    expect(stalledAt(1000, {})).toBe(false)
    expect([181_000, 181_001].map((now) => stalledAt(now, connection))).toEqual([false, true])
  })
})

test('of what an institution says a page shows five texts', () => {
  const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`)
  const shown = (count: number) => saidBy(en, texts.slice(0, count))?.html.match(/text \d/g)
  expect(saidBy(en)).toBeUndefined()
  expect(shown(1)).toEqual(['text 0'])
  expect(shown(6)).toEqual(texts.slice(0, 5))
})
