import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Contract,
  eachExample,
  eachOperation,
  generatedFolder,
  generatedFor,
  readBundle,
  responseSchema,
  type Schema,
  versions,
} from '../../scripts/contract/contract.ts'
import { enumPlaces } from '../../scripts/contract/places.ts'
import type { Path } from '../../src/conform/places.ts'
import { compilerOf } from '../../src/contract/form-compiler.ts'
import { isUsualRun } from '../sets.ts'
import { fieldsOf } from '../support/field-view.ts'
import { stock } from '../support/json-schema.ts'
import { mutator } from '../support/mutations.ts'

// The table of operations names the enums of each answer, for faults that put an unknown value there.

type Rows = Record<string, { enums: readonly string[] }>

const template = (path: Path): string =>
  path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .replace(/^\./, '')

// `npm run test:all` reads the older versions, too.
const older = versions.slice(0, -1)
const chosen = isUsualRun ? generatedFor.filter((name) => !older.includes(name)) : generatedFor

describe.each(chosen)('the enums of answers in %s', async (name) => {
  const contract = readBundle(name)
  const { operations } = (await import(join(generatedFolder(name), 'operations.ts'))) as {
    operations: Rows
  }
  const [written, exact, tolerant] = [
    stock(contract),
    compilerOf(name, 'exact'),
    compilerOf(name, 'tolerant'),
  ]
  const { mutate, fill } = mutator(contract)

  test.each(eachOperation(contract).map(({ operation }) => operation))(
    '$operationId names every one that an answer can have',
    (operation) => {
      const { operationId } = operation
      const schema = responseSchema(contract, operation)
      const examples = eachExample(contract).filter((example) => {
        return example.operationId === operationId && example.status === '200'
      })
      const isWritten = written(schema.$ref!.split('/').pop()!)
      const values = examples.map(({ value }) => value)
      const full = fill(schema, values[0], isWritten)
      const unknown = mutate(schema, ...values, full).filter(({ kind }) => kind === 'enum')
      const [isExact, isTolerant] = [exact.compile(schema), tolerant.compile(schema)]
      for (const { value } of unknown)
        expect([isExact(value), isTolerant(value)]).toEqual([false, true])
      const met = unknown.map(({ path }) => template(path))
      const fields = [...fieldsOf(contract, schema)].filter(([, { view }]) => {
        return view.values?.every((value) => typeof value === 'string')
      })
      const { enums } = operations[operationId]!
      expect(met.filter((place) => !enums.includes(place))).toEqual([])
      expect(enums.toSorted()).toEqual(fields.map(([path]) => path).sort())
    },
  )
})

test('a schema that holds itself is read once', () => {
  const Tree: Schema = {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['leaf'] },
      sure: { type: 'boolean', enum: [true] },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      named: { type: 'object', additionalProperties: { enum: ['x'] } },
    },
  }
  const contract = { components: { schemas: { Tree } } } as unknown as Contract
  expect(enumPlaces(contract, { $ref: '#/components/schemas/Tree' })).toEqual(['kind', 'named.*'])
})
