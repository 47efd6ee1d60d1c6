import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSeedDataFiles, readSeedData } from '../../src/server/fixtures/read-seed-data.ts'
import { parseJsonObject, parseSource, toNode, toValue } from '../../src/yaml/source-node.ts'

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))

describe('a JSON object', () => {
  test('has the same value without positions as with them', () =>
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { root, problems } = parseSource('a.json', text)
        const read = parseJsonObject(text)
        expect(problems).toEqual([])
        expect(read).toEqual(toValue(root))
        expect(toValue(toNode('a.json', read))).toEqual(toValue(root))
      }),
    ))

  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  test.each([
    ['with a key twice', '{"seed": "a", "seed": "b"}'],
    ['with half a surrogate pair', '{"seed": "\\ud800"}'],
    ['with too many levels', nested(41)],
    ['that ends early', '{"seed": "a"'],
    ['that is YAML', '{seed: a}'],
    ['that is a list', '[]'],
  ])('%s is left to the exact reader', (_, text) => {
    expect(parseJsonObject(text)).toBeUndefined()
  })

  test('may have as many levels as YAML', () => {
    const text = nested(40)
    expect(parseSource('a.json', text).problems).toEqual([])
    expect(parseJsonObject(text)).toEqual(JSON.parse(text))
    expect(parseSource('a.json', nested(41)).problems).toHaveLength(1)
  })
})

describe('a mistake in a JSON file is told with its line', () => {
  const mistakes = async (text: string) =>
    readSeedData([...defaultSeedDataFiles(), { name: 'world.json', text }], 'sandbox').then(
      () => 'the file was accepted',
      ({ message }: Error) => message,
    )

  test.each([
    ['a field that is not known', '{\n  "seed": "a",\n  "sed": "b"\n}', /^world\.json:3:3: sed/],
    ['a key that stands twice', '{\n  "seed": "a",\n  "seed": "b"\n}', /^world\.json:3:3: /],
    ['a value of another type', '{\n  "seed": 5\n}', /^world\.json:2:3: seed /],
    [
      'an element that removes nothing',
      '{\n  "institutions": [\n    {"institution_id": "ins_0", "remove": true}\n  ]\n}',
      /^world\.json:3:5: /,
    ],
    [
      'a rule that no schema has',
      '{\n  "clients": [\n    {"client_id": "one",\n     "secret": "x"},\n    {"client_id": "two", "secret": "x", "items": [{"access_token": "t"}]}\n  ]\n}',
      /^world\.json:5:\d+: clients\[1\]\.items\[0\]/,
    ],
  ])('%s', async (_, text, line) => {
    expect(await mistakes(text)).toMatch(line)
  })

  test('also one that is found when it is loaded', async () => {
    const text = '{\n  "seed": "a"\n}'
    const { at } = await readSeedData([{ name: 'world.json', text }], 'sandbox')
    expect(at('seed', 'is wrong').place).toEqual({
      file: 'world.json',
      line: 2,
      column: 3,
      path: 'seed',
    })
  })
})
