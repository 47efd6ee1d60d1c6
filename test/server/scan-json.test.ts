import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type Flaw, findFlaw, maximumKeys, maximumLevels } from '../../src/scan-json.ts'

const seed = 20261122

/** A value of JSON as it is written: an object is a list of members, so it can have a key twice. */
type Written =
  | { kind: 'plain'; text: string }
  | { kind: 'string'; value: string }
  | { kind: 'list'; elements: Written[] }
  | { kind: 'object'; members: [key: string, value: Written][] }

const common = [
  'a',
  'b',
  'c',
  'A',
  '"',
  '\\',
  '/',
  '\n',
  '\b',
  '\t',
  '\f',
  '\r',
  'é',
  '😀',
  '{',
  '}',
]
const rare = [',', ':', '[', ']', ' ', 'u', '0', '\u2028', '__proto__', 'n', 'd83d']
const unit = fc.oneof(
  { arbitrary: fc.constantFrom(...common, ...rare), weight: 60 },
  { arbitrary: fc.constantFrom('\ud83d', '\ude00', '\0'), weight: 1 },
)
const string = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
const plain = fc.constantFrom('0', '-1.5e3', 'true', 'false', 'null', '1e400')

const { value: written } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain.map((text): Written => ({ kind: 'plain', text })),
    string.map((value): Written => ({ kind: 'string', value })),
    fc
      .array(tie('value'), { maxLength: 4 })
      .map((elements): Written => ({ kind: 'list', elements })),
    fc
      .array(fc.tuple(string, tie('value')), { maxLength: 12 })
      .map((members): Written => ({ kind: 'object', members })),
  ),
}))

/** Writes JSON with white space and escapes at places that the numbers choose. */
function write(value: Written, choose: () => number): string {
  const space = () => ['', '', '', ' ', '\n\t', '\r'][choose() % 6] as string
  const quoted = (text: string) =>
    `"${Array.from({ length: text.length }, (_, at) => escaped(text[at] as string, choose())).join('')}"`
  const visit = (node: Written): string => {
    if (node.kind === 'plain') return node.text
    if (node.kind === 'string') return quoted(node.value)
    if (node.kind === 'list') {
      return `[${space()}${node.elements.map((one) => `${space()}${visit(one)}${space()}`).join(',')}]`
    }
    const members = node.members.map(
      ([key, member]) => `${space()}${quoted(key)}${space()}:${space()}${visit(member)}${space()}`,
    )
    return `{${space()}${members.join(',')}}`
  }
  return `${space()}${visit(value)}${space()}`
}

function escaped(char: string, choice: number): string {
  const code = char.charCodeAt(0)
  const hex = code.toString(16).padStart(4, '0')
  // As the bytes of a body have it: half of a pair cannot come otherwise than by an escape.
  const isBare = code >= 0x20 && char !== '"' && char !== '\\' && char.isWellFormed()
  if (isBare && choice % 3 > 0) return char
  const short = JSON.stringify(char).slice(1, -1)
  if (short.length === 2 && choice % 2 > 0) return short
  return `\\u${choice % 5 > 2 ? hex.toUpperCase() : hex}`
}

/** What a careful reader finds, who knows what was written. */
function reference(value: Written): { repeated: boolean; text: boolean } {
  let repeated = false
  let text = false
  const look = (found: string) => {
    text ||= !found.isWellFormed() || found.includes('\0')
  }
  const visit = (node: Written): void => {
    if (node.kind === 'string') look(node.value)
    if (node.kind === 'list') node.elements.forEach(visit)
    if (node.kind !== 'object') return
    repeated ||= new Set(node.members.map(([key]) => key)).size < node.members.length
    for (const [key, member] of node.members) {
      look(key)
      visit(member)
    }
  }
  visit(value)
  return { repeated, text }
}

const kindOf = (flaw: Flaw | undefined): string | undefined =>
  typeof flaw === 'object' ? 'repeated' : flaw

const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 50 })
const chooser = (numbers: number[]) => {
  let next = 0
  return () => numbers[next++ % numbers.length] as number
}

describe('the scan of a JSON text', () => {
  test('finds what a reader who knows what was written finds', () => {
    const found: Record<string, number> = {}
    const property = fc.property(written, choices, (value, numbers) => {
      const text = write(value, chooser(numbers))
      expect(() => JSON.parse(text)).not.toThrow()
      const { repeated, text: isOdd } = reference(value)
      const flaw = kindOf(findFlaw(text))
      found[String(flaw)] = (found[String(flaw)] ?? 0) + 1
      expect(flaw === undefined).toBe(!repeated && !isOdd)
      // Of two errors, either is reported.
      if (flaw === 'repeated') expect(repeated).toBe(true)
      if (flaw === 'text') expect(isOdd).toBe(true)
    })
    fc.assert(property, { seed, numRuns: 5000 })
    expect(Math.min(found['undefined']!, found['repeated']!, found['text']!)).toBeGreaterThan(200)
  })

  test('names the key that an object has twice, as it means', () => {
    expect(findFlaw('{"a":1,"b":{"c":1,"\\u0063":2}}')).toEqual({ key: 'c' })
    expect(findFlaw('{"a\\/b":[{"x":"}"}],"a/b":2}')).toEqual({ key: 'a/b' })
    expect(findFlaw('{"\\ud83d\\ude00":1,"😀":2}')).toEqual({ key: '😀' })
  })

  test.each([2, 8, 9, 16, 17, 1000, maximumKeys])(
    'finds the one key of %d that comes again, wherever it stands',
    (count) => {
      for (const at of [0, Math.floor((count - 1) / 2), count - 2]) {
        const names = Array.from({ length: count }, (_, index) => `k${index}`)
        const members = (list: string[]) => `{${list.map((name) => `"${name}":[{}]`).join()}}`
        expect(findFlaw(members(names))).toBeUndefined()
        names[count - 1] = names[at] as string
        expect(findFlaw(members(names))).toEqual({ key: `k${at}` })
      }
    },
  )

  test('takes one key in many objects, and in objects within each other', () => {
    expect(findFlaw('{"a":{"a":{"a":[{"a":1},{"a":"a"}]}},"b":"a"}')).toBeUndefined()
    expect(findFlaw(`[${'{"a":1,"b":2},'.repeat(20_000)}{}]`)).toBeUndefined()
  })

  test('counts levels and keys', () => {
    const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`
    expect(findFlaw(nested(maximumLevels))).toBeUndefined()
    expect(findFlaw(nested(maximumLevels + 2))).toBe('levels')
    const wide = (keys: number) =>
      `{${Array.from({ length: keys }, (_, index) => `"k${index}":{"a":1}`).join()}}`
    expect(findFlaw(wide(maximumKeys))).toBeUndefined()
    expect(findFlaw(wide(maximumKeys + 1))).toBe('keys')
  })

  test('parses no string, malformed or not', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(findFlaw(`[${'"\\x",'.repeat(1000)}1]`)).toBeUndefined()
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  test('ends, and throws nothing, whatever it is given', () => {
    const part = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        '\\u',
        '\\ud83d',
        '\\u00',
        ',',
        ':',
        '"a"',
        '"a":',
        '\0',
        '1',
      ],
    )
    const noise = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(noise, (text) => {
        const flaw = kindOf(findFlaw(text))
        expect([undefined, 'text', 'repeated']).toContain(flaw)
        // What was read before leaves nothing behind.
        expect(findFlaw('{"a":{"b":1},"c":2}')).toBeUndefined()
      }),
      { seed, numRuns: 5000 },
    )
  })
})
