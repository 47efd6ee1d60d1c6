import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { worldSchemaFile } from '../../scripts/generate/world-schema.ts'
import {
  money,
  references,
  required,
  tokens,
  unique,
} from '../../src/server/fixtures/check-seed-data.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  $defs?: Record<string, Schema>
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}

const root: Schema = JSON.parse(readFileSync(worldSchemaFile, 'utf8'))

/** The schema and everything that it refers to or is composed of. */
function partsOf(schema: Schema): Schema[] {
  const referred = schema.$ref && root.$defs?.[schema.$ref.replace('#/$defs/', '')]
  const { oneOf = [], anyOf = [], allOf = [] } = schema
  const below = [...oneOf, ...anyOf, ...allOf, ...(referred ? [referred] : [])]
  return [schema, ...below.flatMap(partsOf)]
}

/** The schemas at a path such as `clients[].items[].item_id`. */
const schemasAt = (path: string): Schema[] =>
  path.split('.').reduce<Schema[]>(
    (schemas, step) => {
      const fields = schemas.flatMap(partsOf).flatMap((schema) => {
        return schema.properties?.[step.replace('[]', '')] ?? []
      })
      if (!step.endsWith('[]')) return fields
      return fields.flatMap(partsOf).flatMap(({ items }) => items ?? [])
    },
    [root],
  )

const paths = [
  ...Object.entries(required).flatMap(([path, fields]) => fields.map((name) => `${path}.${name}`)),
  ...money,
  ...unique.map(([within, path]) => `${within}.${path}`),
  ...references.map(([path]) => `clients[].${path}`),
  ...tokens,
]

test.each(paths)('the rules name a field of the schema: %s', (path) => {
  expect(schemasAt(path)).not.toEqual([])
})

test.each(references.map(([, target]) => target))('a reference finds its target: %s', (target) => {
  expect([...schemasAt(target), ...schemasAt(`clients[].${target}`)]).not.toEqual([])
})
