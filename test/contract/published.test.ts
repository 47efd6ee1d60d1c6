import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Contract,
  eachExample,
  eachOperation,
  generatedFolder,
  generatedFor,
  readBundle,
  type Schema,
} from '../../scripts/contract/contract.ts'
import { asWritten, isRule, published } from '../../src/contract/published.ts'

// That both forms accept the same values, mutations.test.ts shows with broken copies of examples.

const contractOf = (...schemas: Schema[]): Contract => {
  const named = schemas.map((schema, index) => [`Schema${index}`, schema])
  return { components: { schemas: Object.fromEntries(named) } } as Contract
}

const publish = (schema: Schema): Schema =>
  published(contractOf(schema)).components.schemas['Schema0']!

describe.each(generatedFor)('%s', (document) => {
  const file = join(generatedFolder(document), 'openapi.json')

  test('is published as its file says', () => {
    expect(published(readBundle(document))).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  test('has words and an example at each field', () => {
    const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as Contract).components
    const silent = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => !field.description || !field.examples)
        .map(([field]) => `${name}.${field}`),
    )
    expect(silent).toEqual([])
  })

  test('has no fields beside `allOf`, where some generators lose them', () => {
    const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as Contract).components
    const named = Object.entries(schemas).filter(([, schema]) => schema.allOf && schema.properties)
    expect(named.map(([name]) => name)).toEqual([])
  })

  test('has no list of rules beside the fields of a schema', () => {
    const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as Contract).components
    const named = Object.entries(schemas).filter(([, schema]) =>
      [schema.allOf, schema.anyOf, schema.oneOf].some((parts) => parts?.some(isRule)),
    )
    expect(named.map(([name]) => name)).toEqual([])
  })
})

test('moves rules under a condition that always holds, and completes their parts', () => {
  const either: Schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  }
  expect(publish(either)).toEqual({
    type: 'object',
    properties: either.properties,
    if: {},
    then: {
      oneOf: [
        { required: ['a'], properties: { a: {} }, unevaluatedProperties: {} },
        { required: ['b'], properties: { b: {} }, unevaluatedProperties: {} },
      ],
    },
  })
})

test.each<[string, Schema]>([
  ['a choice of types', { anyOf: [{ $ref: '#/components/schemas/Schema0' }, { type: 'null' }] }],
  ['fields of another schema', { allOf: [{ $ref: '#/components/schemas/Schema0' }] }],
  ['one condition', { type: 'object', if: { enum: [{}] }, then: { enum: [{}] } }],
])('leaves %s as it is', (_, schema) => {
  expect(publish(schema)).toEqual(schema)
})

test.each<[string, Schema]>([
  ['several kinds of rules', { not: { required: ['a'] }, anyOf: [{ required: ['b'] }] }],
  ['rules beside a condition', { if: { required: ['a'] }, then: {}, allOf: [{ required: ['b'] }] }],
  ['rules beside fields of another schema', { allOf: [{ $ref: '#' }, { required: ['b'] }] }],
  ['rules in a field', { properties: { a: { oneOf: [{ required: ['b'] }] } } }],
])('reads %s as written', (_, schema) => {
  const contract = contractOf(schema)
  expect(published(contract)).not.toEqual(contract)
  expect(asWritten(published(contract))).toEqual(contract)
})

test('repeats at a field what its type says, where the field says nothing', () => {
  const id: Schema = { type: 'string', description: 'An id.', examples: ['x'] }
  const $ref = '#/components/schemas/Schema0'
  const own: Schema = { $ref, description: 'The id of the other.', examples: ['y'] }
  const list: Schema = { type: 'array', description: 'Ids.', items: { $ref } }
  const contract = contractOf(id, { properties: { bare: { $ref }, own } })
  const lists = contractOf(id, { properties: { list } })
  expect(published(contract).components.schemas['Schema1']!.properties).toEqual({
    bare: { $ref, description: 'An id.', examples: ['x'] },
    own,
  })
  expect(published(lists).components.schemas['Schema1']!.properties).toEqual({
    list: { ...list, examples: [['x']] },
  })
  expect(asWritten(published(contract))).toEqual(contract)
})

test.each(generatedFor)('%s names the codes of each operation by status', (document) => {
  const contract = readBundle(document)
  for (const { operation } of eachOperation(contract)) {
    const listed = eachExample(contract).filter(
      ({ operationId, status }) => operationId === operation.operationId && /^[45]/.test(status!),
    )
    const codes = listed.map(({ status, value }) => {
      const body = value as { error_code?: string; error?: string }
      return [status, body.error_code ?? body.error]
    })
    const named = Object.entries(operation['x-error-codes'] as Record<string, string[]>)
    const flat = named.flatMap(([status, own]) => own.map((code) => [status, code]))
    expect(new Set(flat.map(String))).toEqual(new Set(codes.map(String)))
    expect(flat.length).toBeGreaterThan(3)
  }
})
