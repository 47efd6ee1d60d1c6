import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { generatedFor, readBundle } from '../../scripts/contract/contract.ts'
import { isUsualRun } from '../sets.ts'
import { instancesOf } from '../support/generate-instances.ts'
import {
  allSubjects,
  type Check,
  component,
  independent,
  load,
  loosened,
  type Subject,
  stock,
  validatorOf,
} from '../support/json-schema.ts'
import { type Mutation, mutator } from '../support/mutations.ts'

// Three readings of the same contract are held against each other: the generated validators, Ajv as
// it comes with all formats, and an implementation by other people, which leaves formats aside.

const seed = 20260316
// `npm run test:all` tries more.
const numRuns = isUsualRun ? 12 : 40
const mutationsEach = isUsualRun ? 100 : 300

const tools = new Map(
  generatedFor.map((version) => {
    const contract = readBundle(version)
    const readings = {
      independent: independent(contract),
      stock: stock(contract),
      loose: stock(loosened(contract)),
      // Ajv with the formats left aside, as the independent reading does.
      formless: stock(contract, false),
    }
    return [version, { ...readings, instances: instancesOf(contract), mutator: mutator(contract) }]
  }),
)

interface Readings {
  ours: Check
  /** The contract as written, with and without formats. */
  written: Check
  formless: Check
  independent: Check
  /** The contract without enums, lengths and counts. */
  loose: Check
}

async function readingsOf(subject: Subject): Promise<Readings> {
  const { schema, version } = subject
  const own = tools.get(version)!
  const validator = await validatorOf(subject)
  return {
    ours: (value) => validator.is(value),
    written: own.stock(schema),
    formless: own.formless(schema),
    loose: own.loose(schema),
    independent: await own.independent(schema),
  }
}

const counts = { taken: 0, rejected: 0 }

/** Where the readings of a value differ; nothing if all is well. */
function differences(form: Subject['form'], readings: Readings, value: unknown): string[] {
  const verdict = readings.ours(value)
  counts[verdict ? 'taken' : 'rejected']++
  const due = form === 'request' ? readings.written(value) : readings.loose(value)
  return [
    ...(verdict === due ? [] : [`it should be ${due}`]),
    ...(readings.independent(value) === readings.formless(value) ? [] : ['the references differ']),
    ...(form === 'tolerant' && readings.written(value) && !verdict ? ['too strict'] : []),
  ]
}

/** Every so manieth, so that each kind of change and each path is covered. */
function sample(mutations: Mutation[]): Mutation[] {
  const step = Math.max(1, mutations.length / mutationsEach)
  return mutations.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

describe.each(allSubjects())('$label', (subject) => {
  const { instances, mutator } = tools.get(subject.version)!
  const schema = component(subject.schema)
  let readings: Readings
  beforeAll(async () => {
    readings = await readingsOf(subject)
  })

  test('takes the examples', () => {
    for (const example of subject.examples) {
      expect(readings.ours(example)).toBe(true)
      expect(differences(subject.form, readings, example)).toEqual([])
    }
  })

  test('agrees on instances that are drawn from the schema', () => {
    const agrees = fc.property(instances(schema), (value) => {
      expect(differences(subject.form, readings, value)).toEqual([])
    })
    fc.assert(agrees, { seed, numRuns })
  })

  test('agrees on examples with one change', () => {
    const all = mutator.mutate(schema, ...subject.examples)
    const wrong = sample(all).flatMap(({ kind, path, value }) => {
      return differences(subject.form, readings, value).map((what) => `${kind} at ${path}: ${what}`)
    })
    expect(wrong).toEqual([])
  })
})

const tolerant = allSubjects().filter(({ form }) => form === 'tolerant')

describe.each(tolerant)('$label', (subject) => {
  test('takes what a newer service may send', async () => {
    const { mutate } = tools.get(subject.version)!.mutator
    const validator = await validatorOf(subject)
    const all = mutate(component(subject.schema), ...subject.examples)
    const news = all.filter(isNews)
    expect(news.length).toBeGreaterThan(0)
    const wrong = news.filter(({ value }) => !validator.is(value))
    expect(wrong.map(({ kind, path }) => `${kind} at ${path}`)).toEqual([])
  })
})

/** New fields and enum values, and longer texts and lists. */
function isNews({ kind, schema, path, value }: Mutation): boolean {
  if (kind === 'enum') return true
  if (kind === 'unknown field') return Boolean(schema.properties)
  if (schema['pattern'] || schema['format']) return false
  return kind === 'length' && textAt(value, path).length > 0
}

const textAt = (value: unknown, path: Mutation['path']): string =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], value) as string

test('the readings met much that is right and much that is wrong', () => {
  expect(counts.taken).toBeGreaterThan(5000)
  expect(counts.rejected).toBeGreaterThan(5000)
})

describe.each(generatedFor)('the components of %s', (version) => {
  test('each take their own examples, and no value of another type', async () => {
    const { schemas } = readBundle(version).components
    const validators = await load(version, 'components')
    expect(Object.keys(validators).sort()).toEqual(Object.keys(schemas).sort())
    for (const [name, { examples = [] }] of Object.entries(schemas)) {
      for (const example of examples)
        expect([name, validators[name]!.issues(example)]).toEqual([name, []])
      expect([name, validators[name]!.is(Symbol('none'))]).toEqual([name, false])
    }
  })
})
