import { describe, expect, test } from 'vitest'
import {
  type Contract,
  currentVersion,
  documents,
  eachExample,
  eachOperation,
  readBundle,
  type Schema,
  versions,
} from '../../scripts/contract/contract.ts'
import { bodyLimit, maximumBody } from '../../scripts/generate/body-limits.ts'
import { maximumKeys } from '../../src/scan-json.ts'
import { bodyLimitOf } from '../../src/server/pipeline/body-limits.ts'
import { maximumBody as mostRead } from '../../src/server/pipeline/parse-body.ts'

const contract = readBundle()

const closed = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
})
const text = (maxLength: number): Schema => ({ type: 'string', maxLength })
const limitOf = (schema: Schema): number => bodyLimit(contract, schema)

/** A value of the greatest length, written as long as JSON can be without padding. */
const longest = (maxLength: number): string => `"${'\\ud83d\\ude00'.repeat(maxLength)}"`

describe('the limit of a body', () => {
  test.each([
    ['a text', closed({ a: text(20_000) }), `{"a":${longest(20_000)}}`],
    [
      'a list',
      closed({ a: { type: 'array', maxItems: 500, items: text(128) } }),
      `{"a":[${Array.from({ length: 500 }, () => longest(128)).join()}]}`,
    ],
    [
      'a map',
      closed({
        a: {
          type: 'object',
          maxProperties: 50,
          propertyNames: { maxLength: 40 },
          additionalProperties: text(500),
        },
      }),
      `{"a":{${Array.from({ length: 50 }, () => `${longest(40)}:${longest(500)}`).join()}}}`,
    ],
    [
      'a choice',
      closed({ a: { anyOf: [text(10), closed({ b: text(9000) })] } }),
      `{"a":{"b":${longest(9000)}}}`,
    ],
  ])('leaves room for what the bounds allow, and for no more than twice that: %s', (...all) => {
    const [, schema, body] = all
    expect(limitOf(schema)).toBeGreaterThanOrEqual(body.length)
    expect(limitOf(schema)).toBeLessThan(body.length * 2 + 16 * 1024)
  })

  test.each([
    ['a text without a bound', closed({ a: { type: 'string' } })],
    ['a list without a bound', closed({ a: { type: 'array', items: text(1) } })],
    ['content that is free', closed({ a: { type: 'object', additionalProperties: true } })],
    ['more than all bodies may have', closed({ a: text(1_000_000) })],
  ])('is that of all bodies for %s', (_, schema) => {
    expect(limitOf(schema)).toBe(maximumBody)
  })

  test('is never less than 16 KiB, and never more than what is read', () => {
    expect(limitOf(closed({}))).toBe(16 * 1024)
    expect(maximumBody).toBe(mostRead)
  })
})

const limitsOf = ({ operation }: ReturnType<typeof eachOperation>[number]) =>
  [operation.operationId, operation['x-maximum-body']] as const

describe.each(documents)('%s', (document) => {
  const described: Contract = readBundle(document)

  test('says the limits that are kept', () => {
    for (const [operationId, limit] of eachOperation(described).map(limitsOf)) {
      expect([operationId, limit]).toEqual([operationId, bodyLimitOf(operationId)])
    }
  })

  test('has a limit of ten times its longest example and more', () => {
    for (const { operationId = '', place, value } of eachExample(described)) {
      if (!place.endsWith(' request')) continue
      expect(bodyLimitOf(operationId)).toBeGreaterThan(10 * JSON.stringify(value).length)
    }
  })

  test('has no object of as many keys as are read', () => {
    const most: number[] = []
    JSON.stringify(described.components.schemas, (key, value) => {
      if (key === 'maxProperties') most.push(value)
      return value
    })
    expect(Math.max(0, ...most) * 10).toBeLessThanOrEqual(maximumKeys)
  })
})

test('every version has the limits of the newest: a path is read by one limit', () => {
  const newest = eachOperation(readBundle(currentVersion)).map(limitsOf)
  for (const version of versions) {
    expect(eachOperation(readBundle(version)).map(limitsOf)).toEqual(newest)
  }
})
