import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentVersion, readBundle, resolve } from '../../scripts/contract/contract.ts'
import { withField } from '../../src/conform/mutations.ts'
import { places, replace } from '../../src/conform/places.ts'
import type { Issue } from '../../src/validators/issues.ts'
import type { Validator } from '../../src/validators/validate.ts'
import { component, subjectsOf, validatorOf } from '../support/json-schema.ts'

// Bodies that no client sends by mistake. Their errors stay short, fast and free of values.

const seed = 20260316
const contract = readBundle()
const subjects = subjectsOf(currentVersion).filter(({ form }) => form === 'request')

interface Target {
  label: string
  validator: Validator<unknown>
  body: object
  scalars: (string | number)[][]
  objects: (string | number)[][]
}

const validators = await Promise.all(subjects.map(validatorOf))

const targets: Target[] = []
for (const [index, subject] of subjects.entries()) {
  const validator = validators[index]!
  for (const body of subject.examples as object[]) {
    const all = places(contract, component(subject.schema), body)
    const isObject = (value: unknown) => typeof value === 'object' && value !== null
    const scalars = all.filter(({ value }) => !isObject(value)).map(({ path }) => path)
    const lists = all.filter(({ value }) => Array.isArray(value)).map(({ path }) => path)
    const objects = all.filter(({ value }) => isObject(value) && !Array.isArray(value))
    const under = { scalars: [...scalars, ...lists], objects: objects.map(({ path }) => path) }
    targets.push({ label: subject.label, validator, body, ...under })
  }
}

const at = (body: unknown, path: (string | number)[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], body)

const secret = fc.string({ unit: fc.constantFrom(...'QWXYZ6789'), minLength: 12, maxLength: 24 })
const anyTarget = fc.constantFrom(...targets)

/** Checks the issues of 2000 bodies, and that there were many. */
function checkIssues(check: (target: Target, which: number, marker: string) => Issue[]): void {
  let count = 0
  const property = fc.property(anyTarget, fc.nat(), secret, (target, which, marker) => {
    const issues = check(target, which, marker)
    count += issues.length
    expect(JSON.stringify(issues)).not.toContain(marker)
  })
  fc.assert(property, { seed, numRuns: 2000 })
  expect(count).toBeGreaterThan(500)
}

describe('nothing of a body comes back', () => {
  test('at any path', () => {
    checkIssues(({ validator, body, scalars }, which, marker) => {
      const path = scalars[which % scalars.length] ?? []
      return validator.issues(replace(body, path, which % 2 ? marker : [marker, { marker }]))
    })
  })

  test('at all paths at once', () => {
    checkIssues(({ validator, body, scalars }, _, marker) => {
      return validator.issues(scalars.reduce<unknown>((b, path) => replace(b, path, marker), body))
    })
  })

  test('from the name of an unknown field but its first 64 characters', () => {
    checkIssues(({ validator, body, objects }, which, marker) => {
      const path = objects[which % objects.length]!
      const field = { key: `${'k'.repeat(64)}${marker}`, value: marker }
      const issues = validator.issues(
        replace(body, path, withField(at(body, path) as object, field)),
      )
      for (const issue of issues) expect(issue.path).toMatch(/(^|\.)k{64}$/)
      return issues
    })
  })
})

const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length']
const odd: unknown[] = [
  undefined,
  Number.NaN,
  JSON.parse('1e400'),
  JSON.parse('-1e400'),
  -0,
  '\ud800',
  '\udc00\ud800',
  '\u0000',
  10n,
  Symbol('s'),
  () => 0,
  new Date(0),
  new Map(),
  Object.create(null),
  nested((inner) => [inner]),
  nested((inner) => ({ options: inner })),
  nested((inner) => ({ event: inner })),
]

function nested(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'end'
  for (let depth = 0; depth < 100_000; depth++) value = wrap(value)
  return value
}

describe('nothing breaks', () => {
  test.each(keys)('on a field named %s', (key) => {
    for (const { validator, body, objects } of targets) {
      for (const path of objects) {
        for (const value of [1, {}, { polluted: true }]) {
          const object = withField(at(body, path) as object, { key, value })
          const [issue, ...more] = validator.issues(replace(body, path, object))
          expect(more).toEqual([])
          if (issue)
            expect([issue.code, issue.path.split('.').at(-1)]).toEqual(['UNKNOWN_FIELDS', key])
        }
      }
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('on values that are odd or no JSON at all, at any path', () => {
    for (const { validator, body, scalars, objects } of targets) {
      for (const path of [...scalars, ...objects]) {
        for (const value of odd) {
          const broken = replace(body, path, value)
          expect(validator.issues(broken).length === 0).toBe(validator.is(broken))
        }
      }
    }
  })

  test('on numbers that overflow', () => {
    const { validator } = targets.find(({ label }) => label.includes('walletList'))!
    expect(validator.issues(JSON.parse('{"count":1e400}'))).toEqual([
      { path: 'count', code: 'INVALID_FIELD', message: 'must be an integer' },
    ])
  })
})

// About what fits into the largest body that the server reads.
const megabyte = 1024 * 1024
const texts = ['a', 'é', '1 ', 'a.', 'a@', '2026-', '%41', '/', '\ud800']
const huge: [what: string, value: unknown][] = [
  ...texts.map((part): [string, unknown] => [
    `a text of many ${JSON.stringify(part)}`,
    part.repeat(megabyte / part.length),
  ]),
  ['a text that begins well', `access-sandbox-${'a'.repeat(megabyte)}!`],
  ['an address that begins well', `https://a.example/${'a/'.repeat(megabyte / 2)} `],
  ['an e-mail address that begins well', `a@${'a.'.repeat(megabyte / 2)}`],
  ['a list of many numbers', Array.from({ length: 130_000 }, (_, index) => index)],
  ['a list of many texts', Array.from({ length: 100_000 }, (_, index) => `t${index}`)],
  ['a list of many objects', Array.from({ length: 100_000 }, () => ({}))],
  ['a list of many lists', Array.from({ length: 100_000 }, (_, index) => [index])],
  [
    'an object of many fields',
    Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`k${i}`, 1])),
  ],
]

/** Each place of each request once, or places of one schema once, where no rule looks at more. */
const spots = new Map(
  subjects.flatMap(({ label, schema, examples }, index) =>
    examples.flatMap((body) =>
      places(contract, component(schema), body).map(({ path, ruled, ...place }) => {
        const at = ruled || path.length === 0 ? `${label} at ${path.join('.')}` : ''
        const { description: _, ...own } = resolve(contract, place.schema)
        const validator = validators[index]!
        return [at || JSON.stringify(own), { label, validator, body, path }] as const
      }),
    ),
  ),
)

// Work that grows with the square of a body would take minutes here, and run into the time-out.
describe('a body of a megabyte is rejected or taken, in few words', () => {
  test.each(huge)('%s', (_, value) => {
    for (const { label, validator, body, path } of spots.values()) {
      const issues = validator.issues(replace(body, path, value))
      expect(issues.length, label).toBeLessThanOrEqual(100)
      expect(JSON.stringify(issues).length, label).toBeLessThan(100_000)
    }
  })
})
