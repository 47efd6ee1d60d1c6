import { expect, test } from 'vitest'
import { describeMistake } from '../../src/server/pipeline/json-mistake.ts'

// What a caller is told about a body that is no JSON object.

const noSymbols = 'JSON has no NaN, Infinity and undefined; send null or leave the field out'

test.each([
  ['', 'is empty; it must be a JSON object'],
  [' \n', 'is empty; it must be a JSON object'],
  ['[]', 'must be a JSON object, not an array'],
  ['"x"', 'must be a JSON object, not a string'],
  ['12', 'must be a JSON object, not a number'],
  ['null', 'must be a JSON object, not null'],
  ['{"a":', 'is not JSON: it ends too early, in line 1, column 6'],
  ['{"a": "b', 'is not JSON: it ends inside a text, in line 1, column 7'],
  ['{"a', 'is not JSON: it ends inside a text, in line 1, column 2'],
  [
    '{"a": "b\nc"}',
    'is not JSON: a text does not end in its line; write \\n for a line break, in line 1, column 7',
  ],
  ["{'a': 1}", 'is not JSON: names and texts need double quotes, in line 1, column 2'],
  ['{a: 1}', 'is not JSON: names and texts need double quotes, in line 1, column 2'],
  ['{"a": 1,}', 'is not JSON: no comma may stand before `}`, in line 1, column 9'],
  ['{"a": [1,\n ]}', 'is not JSON: no comma may stand before `]`, in line 2, column 2'],
  ['{"a": 1\n "b": 2}', 'is not JSON: a comma is missing, in line 2, column 2'],
  ['{"a" 1}', 'is not JSON: a colon is missing, in line 1, column 6'],
  ['{"a": }', 'is not JSON: a value is missing, in line 1, column 7'],
  ['{} {}', 'is not JSON: something stands after its end, in line 1, column 4'],
  ['{"a": 1 // one\n}', 'is not JSON: it must not have comments, in line 1, column 9'],
  ['{"a": "\\q"}', 'is not JSON: an escape in a text is malformed, in line 1, column 7'],
  ['{"a": NaN}', `is not JSON: ${noSymbols}, in line 1, column 7`],
  ['{"a": undefined}', `is not JSON: ${noSymbols}, in line 1, column 7`],
  ['{"a": True}', 'is not JSON: write true, false and null in small letters, in line 1, column 7'],
  ['{"a": None}', 'is not JSON: write null for no value, in line 1, column 7'],
  ['{"a": 0100}', 'is not JSON: a number must not begin with 0, in line 1, column 8'],
  ['{"a": +1}', 'is not JSON: a number must not begin with + or a point, in line 1, column 7'],
  ['{"a"=1}', 'is not JSON: a colon is missing, in line 1, column 5'],
  ['a=1&b=2', 'is not JSON: it must begin with `{`, in line 1, column 1'],
  ['<a/>', 'is not JSON: it must begin with `{`, in line 1, column 1'],
])('%j %s', (text, words) => expect(describeMistake(text)).toBe(words))

test('does not quote the body', () => {
  for (const text of ['secret', "{'secret': 'secret'}", '{"a": secret}', 'secret={}']) {
    expect(describeMistake(text)).not.toContain('secret')
  }
})

test('is found in a body up to 32 KiB, and not looked for in a longer one', () => {
  expect(describeMistake(`{"a": x, ${'"b": ['.repeat(5000)}`)).toContain('line 1, column 7')
  const long = describeMistake(`{"a": x, ${'"b": ['.repeat(50_000)}`)
  expect(long).toBe('must be one JSON object')
})
