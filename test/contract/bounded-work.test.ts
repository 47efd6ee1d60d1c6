import standalone from 'ajv/dist/standalone/index.js'
import { expect, test } from 'vitest'
import type { Schema } from '../../scripts/contract/contract.ts'
import { stopEarly } from '../../src/contract/bounded-work.ts'
import { createAjv } from '../../src/contract/compile-schemas.ts'

const list = { type: 'array', items: { type: 'number' } }
const closed = { type: 'object', properties: {}, additionalProperties: false }
const text = { type: 'string' }

/** What a schema of a field is compiled to, as the generator has it. */
function bounded(schema: object): string {
  const ajv = createAjv({ source: true, esm: true })
  ajv.addSchema({ $id: 'x', type: 'object', properties: { field: schema } } as Schema, 'x')
  return stopEarly(standalone.default(ajv, { x: 'x' }))
}

// Loops end at so many errors. Those of one alternative would end the loops of the next before they
// begin, so that a wrong value would pass there.
test.each([
  ['anyOf', { anyOf: [closed, list] }],
  ['oneOf', { oneOf: [closed, list] }],
  ['the third of anyOf', { anyOf: [text, { type: 'number' }, closed] }],
  ['the second of oneOf, inside another rule', { oneOf: [text, { anyOf: [list, text] }] }],
  ['an anyOf of items', { type: 'array', items: { anyOf: [text, { allOf: [list] }] } }],
])('a loop in a later alternative of %s ends the generation', (_, schema) => {
  expect(() => bounded(schema)).toThrow('a loop in a later alternative')
})

test.each([
  ['the first alternative', { anyOf: [list, text] }],
  ['the first of oneOf', { oneOf: [closed, text] }],
  ['each of two rules', { allOf: [{ anyOf: [list, text] }, { anyOf: [closed, text] }] }],
  ['a branch of a condition', { if: { type: 'object' }, then: closed, else: list }],
])('a loop in %s stops at the last error that is reported', (_, schema) => {
  expect(bounded(schema)).toMatch(/errors\s*(<|>=)\s*100/)
})
