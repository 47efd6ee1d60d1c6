import { beforeAll, describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { compareComponents } from '../../scripts/contract/compare-components.ts'
import type { Schema } from '../../scripts/contract/contract.ts'
import { listOfText } from '../../src/server/kernel/list-text.ts'
import { file as oldest } from '../../src/server/versions/2018-05-22.ts'
import type { Differences } from '../../src/server/versions/difference.ts'
import { createStep, type Step } from '../../src/server/versions/step.ts'

// Each kind of difference that is derived, on the way in and on the way out.

const text = { type: 'string' }
const optionalText = { type: ['string', 'null'] }
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  required,
  properties,
})

const newer = object(
  {
    city: optionalText,
    region: { ...optionalText, examples: ['OR'] },
    country: text,
    kind: { type: 'string', enum: ['investment', 'loan'] },
    at: optionalText,
    rest: text,
    parts: { type: 'object', additionalProperties: object({ old: { ...text, examples: ['x'] } }) },
  },
  ['city'],
)

const older = object(
  {
    city: text,
    state: { ...text, examples: ['OR'] },
    kind: { type: 'string', enum: ['brokerage', 'loan'] },
    at: { type: 'null' },
    rest: text,
    done: { type: 'boolean', 'x-always': true },
    parts: {
      type: 'object',
      additionalProperties: object({ older: { ...text, examples: ['x'] } }),
    },
  },
  ['city', 'done'],
)

const here = {
  city: null,
  region: 'OR',
  country: 'US',
  kind: 'investment',
  at: '2026-03-16',
  rest: 'as it was',
  parts: { first: { old: 'a' }, second: { old: 'b' } },
}

const there = {
  city: '',
  state: 'OR',
  kind: 'brokerage',
  at: null,
  rest: 'as it was',
  done: true,
  parts: { first: { older: 'a' }, second: { older: 'b' } },
}

const places = { walletGet: { Place: ['', 'list[]', 'lists[][].place'] } }
const differences: Differences = {
  newer: currentVersion,
  changes: { Place: compareComponents(older, newer).edits },
  requests: places,
  responses: places,
  byHand: { requests: {}, responses: {} },
}

let step: Step
beforeAll(() => {
  step = createStep({ differences, requests: {}, responses: {} })
})

describe('a derived difference', () => {
  test('is made in an answer, wherever the component stands', () => {
    const answer = { ...here, list: [here, here], lists: [[{ place: here }]] }
    const before = structuredClone(answer)
    const expected = { ...there, list: [there, there], lists: [[{ place: there }]] }
    expect(step.downgradeAnswer('walletGet', answer)).toEqual(expected)
    expect(answer).toEqual(before)
  })

  test('is undone in a request, but for what the older version cannot say', () => {
    const { country: _, ...known } = { ...here, at: null }
    const request = { ...there, list: [there], lists: [[{ place: there }]] }
    const expected = { ...known, list: [known], lists: [[{ place: known }]] }
    expect(step.upgradeRequest('walletGet', request)).toEqual(expected)
  })

  test('leaves alone what is absent, null or of another operation', () => {
    expect(step.upgradeRequest('walletGet', { list: null })).toEqual({ list: null })
    expect(step.downgradeAnswer('walletGet', { kind: 'loan' })).toEqual({
      kind: 'loan',
      done: true,
    })
    expect(step.downgradeAnswer('walletList', here)).toBe(here)
  })

  test('reads a list only for the function of an operation', () => {
    const answer = { wallets: listOfText('{"a":1}') }
    const seen: object[] = []
    const downgraded = (body: object) => {
      seen.push(body)
      return { wallets: [] }
    }
    const byHand = createStep({ differences, requests: {}, responses: { walletList: downgraded } })
    expect(step.downgradeAnswer('walletList', answer)).toBe(answer)
    expect(byHand.downgradeAnswer('walletList', answer)).toEqual({ wallets: [] })
    expect(seen).toEqual([{ wallets: [{ a: 1 }] }])
    expect(byHand.downgradeAnswer('itemGet', answer)).toBe(answer)
    expect(byHand.upgradeRequest('itemGet', answer)).toBe(answer)
    expect(step.newer).toBe(currentVersion)
  })

  test('takes names of fields as they are', () => {
    const odd = JSON.parse('{"__proto__": {"kind": "investment"}, "toString": 1, "done": true}')
    const answer = step.downgradeAnswer('walletGet', odd)
    expect(JSON.stringify(answer)).toBe(JSON.stringify(odd))
  })
})

describe('the identity of 2018', () => {
  const home = { street: 'Gate 1', city: 'Bergen' }
  const owner = (more: object) => ({
    names: ['Ada'],
    emails: [{ data: 'ada@example.com' }],
    phone_numbers: [{ data: '1' }],
    addresses: [],
    ...more,
  })
  const identityOf = (accounts: object[]) =>
    oldest.responses.identityGet({ accounts, request_id: 'r' } as never)

  test('stands beside the accounts, each entry once', () => {
    const accounts = [
      { name: 'Giro', mask: '1234', owners: [owner({}), owner({ names: ['Ada', 'Bo'] })] },
      { name: 'Card', mask: null, owners: [owner({ phone_numbers: [{ data: '2' }] })] },
    ]
    expect(identityOf(accounts)).toEqual({
      accounts: [
        { name: 'Giro', mask: '1234' },
        { name: 'Card', mask: null },
      ],
      request_id: 'r',
      identity: {
        names: ['Ada', 'Bo'],
        emails: [{ data: 'ada@example.com' }],
        phone_numbers: [{ data: '1' }, { data: '2' }],
        addresses: [],
      },
    })
  })

  test('tells each address once, with the accounts that it is on file for', () => {
    const other = { street: 'Gate 2' }
    const at = (...addresses: object[]) => [owner({ addresses })]
    const accounts = [
      { name: 'Giro', mask: '1234', owners: [...at({ data: home }), ...at({ data: home })] },
      { name: 'Card', mask: null, owners: at({ data: home, primary: true }, { data: other }) },
      { name: 'Loan', mask: null, owners: at({ data: home, primary: false }) },
    ]
    expect(identityOf(accounts).identity.addresses).toEqual([
      { accounts: ['Giro 1234', 'Card', 'Loan'], primary: true, data: home },
      { accounts: ['Card'], primary: false, data: other },
    ])
  })
})

describe('what takes a function', () => {
  const compare = (a: Schema, b: Schema) => {
    const { request, response } = compareComponents(object({ field: a }), object({ field: b }))
    return { request, response }
  }
  const [neither, both] = [
    { request: [], response: [] },
    { request: ['field'], response: ['field'] },
  ]

  test.each<[string, Schema, Schema, object]>([
    ['nothing', text, text, neither],
    ['a text that was never null', text, optionalText, neither],
    ['a text that could be null', optionalText, text, { request: ['field'], response: [] }],
    ['another type', { type: 'integer' }, text, both],
    [
      'another component',
      { $ref: '#/components/schemas/A' },
      { $ref: '#/components/schemas/B' },
      both,
    ],
    ['another bound', { ...text, maxLength: 3 }, text, both],
    [
      'two values less',
      { enum: ['a'] },
      { enum: ['a', 'b', 'c'] },
      { request: [], response: ['field'] },
    ],
    ['one value more', { enum: ['a', 'b'] }, { enum: ['a'] }, { request: ['field'], response: [] }],
    [
      'words for people',
      { ...text, description: 'Old.' },
      { ...text, description: 'New.' },
      neither,
    ],
  ])('is reported for %s', (_, a, b, expected) => {
    expect(compare(a, b)).toEqual(expected)
  })

  test('is reported for fields that one side needs and the other lacks', () => {
    const surplus = compareComponents(object({ more: text }, ['more']), object({}))
    expect(surplus).toEqual({ edits: {}, request: ['more'], response: ['more'] })
    const missing = compareComponents(object({}), object({ more: text }, ['more']))
    expect(missing).toEqual({ edits: { more: { gone: true } }, request: ['more'], response: [] })
    const loose = compareComponents(object({ more: text }), object({ more: text }, ['more']))
    expect(loose).toEqual({ edits: {}, request: ['more'], response: [] })
    const tight = compareComponents(object({ more: text }, ['more']), object({ more: text }))
    expect(tight).toEqual({ edits: {}, request: [], response: ['more'] })
  })
})
