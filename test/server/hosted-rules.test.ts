import { describe, expect, test } from 'vitest'
import { readCookie, writeCookie } from '../../src/server/hosted/cookie.ts'
import {
  isStepOpen,
  numberOf,
  type StepName,
  stepAfter,
  stepBefore,
  stepsOf,
} from '../../src/server/hosted/step-order.ts'

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
