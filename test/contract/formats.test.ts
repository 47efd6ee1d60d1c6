import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'
import * as ours from '../../src/validators/formats.ts'

// Our formats take short cuts. Their verdicts must be those of ajv-formats, for whatever text.

type Check = (text: string) => boolean
type Format = 'date' | 'date-time' | 'email' | 'uri' | 'uuid' | 'ipv4' | 'ipv6'

const file = join(root, 'test/support/format-corpus.yaml')
const corpus: Record<Format, { valid: string[]; invalid: string[] }> = parse(
  readFileSync(file, 'utf8'),
)

function toCheck(format: unknown): Check {
  if (typeof format === 'function') return format as Check
  if (format instanceof RegExp) return (text) => format.test(text)
  return toCheck((format as { validate: unknown }).validate)
}

const checks: Record<Format, [ours: Check, theirs: Check]> = {
  date: [ours.date, toCheck(fullFormats.date)],
  'date-time': [ours.dateTime, toCheck(fullFormats['date-time'])],
  email: [ours.email, toCheck(fullFormats.email)],
  uri: [ours.uri, toCheck(fullFormats.uri)],
  uuid: [ours.uuid, toCheck(fullFormats.uuid)],
  ipv4: [ours.ipv4, toCheck(fullFormats.ipv4)],
  ipv6: [ours.ipv6, toCheck(fullFormats.ipv6)],
}

const formats = Object.keys(checks) as Format[]
const seed = 20260316

const odd = fc.constantFrom(
  ...'tTzZ :-+.,/@%#?&[]_~0123456789',
  '\n',
  'é',
  '\u00a0',
  '\ud800',
  '٣',
  '２',
)

/** A text of the corpus with a few characters dropped, changed, added or doubled. */
function near(texts: string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(60),
    drop: fc.nat(2),
    add: fc.string({ unit: odd, maxLength: 2 }),
  })
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) =>
      edits.reduce((result, { at, drop, add }) => {
        const index = at % (result.length + 1)
        return result.slice(0, index) + add + result.slice(index + drop)
      }, text),
    )
}

/** Texts that keep to the outline, so that about as many are right as wrong. */
const outlines: Partial<Record<Format, fc.Arbitrary<string>>> = {
  date: fc.tuple(digits(4), upTo(14), upTo(33)).map((parts) => parts.join('-')),
  'date-time': fc
    .tuple(
      digits(4),
      upTo(13),
      upTo(32),
      upTo(25),
      upTo(61),
      upTo(61),
      fc.constantFrom('Z', 'z', '+01:00', '-23:59', '', '.5Z'),
    )
    .map(([y, m, d, h, min, s, zone]) => `${y}-${m}-${d}T${h}:${min}:${s}${zone}`),
  email: fc.emailAddress(),
  uri: fc.webUrl({
    withFragments: true,
    withQueryParameters: true,
    validSchemes: ['http', 'https', 'ftp'],
  }),
  uuid: fc.uuid(),
  ipv4: fc.array(fc.nat(290), { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.')),
  ipv6: fc.ipV6(),
}

function digits(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
}

function upTo(max: number): fc.Arbitrary<string> {
  return fc.nat(max).map((number) => String(number).padStart(2, '0'))
}

describe.each(formats)('%s', (format) => {
  const [own, full] = checks[format]
  const { valid, invalid } = corpus[format]

  test('takes what is right and rejects what is wrong', () => {
    const verdicts = (texts: string[], check: Check) => texts.map((text) => [text, check(text)])
    expect(verdicts(valid, own)).toEqual(valid.map((text) => [text, true]))
    expect(verdicts(invalid, own)).toEqual(invalid.map((text) => [text, false]))
    expect(verdicts([...valid, ...invalid], own)).toEqual(verdicts([...valid, ...invalid], full))
  })

  test('was asked often enough', () => {
    const least = ['date', 'date-time', 'email', 'uri'].includes(format) ? 40 : 20
    expect(new Set(valid).size + new Set(invalid).size).toBeGreaterThanOrEqual(least)
    expect(valid.length).toBe(new Set(valid).size)
    expect(invalid.length).toBe(new Set(invalid).size)
  })

  test('agrees on texts near by', () => {
    const texts = fc.oneof(near(valid), near(invalid), outlines[format]!, near(valid).map(twice))
    const counts = { right: 0, wrong: 0 }
    const agrees = fc.property(texts, (text) => {
      counts[full(text) ? 'right' : 'wrong']++
      return own(text) === full(text)
    })
    fc.assert(agrees, { seed, numRuns: 8000 })
    expect(counts.right).toBeGreaterThan(800)
    expect(counts.wrong).toBeGreaterThan(800)
  })
})

const twice = (text: string): string => `${text}${text}`

test('int32 agrees on numbers at its edges and off them', () => {
  const edges = [
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 53,
    0,
    -0,
    0.5,
    -0.5,
  ]
  const odd = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e300]
  const theirs = fullFormats.int32 as { validate: (value: number) => boolean }
  for (const number of [...edges, ...odd]) {
    expect([number, ours.int32.validate(number)]).toEqual([number, theirs.validate(number)])
  }
})

test('regex agrees', () => {
  const [own, full] = [ours.regex, toCheck(fullFormats.regex)]
  for (const text of ['', 'a', '(', '[', '\\Z', 'a\\Z', '\\\\Z', '(?=a)', '*', '^a{2,1}$', '\\']) {
    expect([text, own(text)]).toEqual([text, full(text)])
  }
})
