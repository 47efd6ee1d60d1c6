import { describe, expect, test } from 'vitest'
import {
  type Contract,
  eachExample,
  eachOperation,
  readBundle,
  resolve,
  type Schema,
} from '../../scripts/contract/contract.ts'

// How well the contract describes itself, measured on the bundle over component schemas and inline
// ones, each counted once. `redocly lint` reports each gap with its file and line; this is the sum.

const contract = readBundle()

interface Property {
  path: string
  schema: Schema
}

/** Every property of the schema and of what stands in it, without following references. */
function properties(schema: Schema, path: string): Property[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { path: `${path}.${name}`, schema: property },
    ...properties(property, `${path}.${name}`),
  ])
  const parts = [schema.items, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])]
  const inner = parts.filter((part): part is Schema => part !== undefined && !isRule(part))
  return [...own, ...inner.flatMap((part) => properties(part, `${path}[]`))]
}

/** Parts of rules between fields describe no field. */
const isRule = (part: Schema): boolean => !part.$ref && part.type === undefined && !part.enum

function inlineSchemas({ paths, webhooks, components }: Contract): Schema[] {
  const found: Schema[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'schema' && !('$ref' in (value as Schema))) found.push(value as Schema)
      else if (key !== 'examples' && key !== 'schemas') walk(value)
    }
  }
  walk([paths, webhooks, { ...components, schemas: {} }])
  return found
}

const all = [
  ...Object.entries(contract.components.schemas).flatMap(([name, schema]) =>
    properties(schema, name),
  ),
  ...inlineSchemas(contract).flatMap((schema, index) => properties(schema, `inline ${index}`)),
]

const has = (schema: Schema, keyword: string): boolean =>
  keyword in schema || (schema.$ref !== undefined && has(resolve(contract, schema), keyword))

const shown = (schema: Schema): boolean =>
  has(schema, 'examples') || (schema.items !== undefined && has(schema.items, 'examples'))

const without = (keep: (schema: Schema) => boolean): string[] =>
  all.filter(({ schema }) => !keep(schema)).map(({ path }) => path)

describe('properties', () => {
  test('are many', () => {
    expect(all.length).toBeGreaterThan(700)
  })

  test('all have a description', () => {
    expect(without((schema) => has(schema, 'description'))).toEqual([])
  })

  test('all have an example', () => {
    expect(without(shown)).toEqual([])
  })

  test('are described in a sentence', () => {
    const curt = all
      .filter(({ schema }) => 'description' in schema)
      .filter(({ schema }) => !/^[A-Z`].*[.]$/s.test(String(schema.description).trim()))
    expect(curt.map(({ path }) => path)).toEqual([])
  })
})

describe('enums', () => {
  test('hold no blanks, duplicates or nulls', () => {
    for (const [name, schema] of Object.entries(contract.components.schemas)) {
      const values = schema.enum ?? []
      expect(values, name).toEqual([...new Set(values)])
      expect(values, name).toEqual(values.filter((value) => value !== null))
      expect(values, name).toEqual(
        values.map((value) => (typeof value === 'string' ? value.trim() : value)),
      )
    }
  })
})

describe.each(eachOperation(contract).map(({ operation }) => operation.operationId))('%s', (id) => {
  const examples = eachExample(contract).filter(({ operationId }) => operationId === id)

  test('has a request, a success answer and at least two errors as examples', () => {
    const count = (status: RegExp) => examples.filter((one) => status.test(one.status ?? '')).length
    expect(examples.filter(({ place }) => place.endsWith('request')).length).toBeGreaterThan(0)
    expect(count(/^200$/)).toBeGreaterThan(0)
    expect(count(/^[45]/)).toBeGreaterThanOrEqual(2)
  })
})
