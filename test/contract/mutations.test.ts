import { describe, expect, test } from 'vitest'
import { documents, readBundle, type Schema } from '../../scripts/contract/contract.ts'
import { createAjv, referenceTo, toDocument } from '../../src/contract/compile-schemas.ts'
import type { Form } from '../../src/contract/schema-forms.ts'
import { allSubjects, component, type Subject, stock, validatorOf } from '../support/json-schema.ts'
import { checksIn, reasons } from '../support/keyword-coverage.ts'
import { type Mutation, mutator } from '../support/mutations.ts'
import { sandboxBodies } from '../support/sandbox-bodies.ts'

// Each example is broken in every way that the generator knows. The contract as it is published, read
// by Ajv as it comes, says which copies are wrong; the forms have to reject exactly these.

const tools = new Map(
  documents.map((version) => {
    const contract = readBundle(version)
    const compile = (form: Form) => {
      const ajv = createAjv()
      ajv.opts.verbose = true
      const document = toDocument(contract, form)
      ajv.addSchema(document)
      const get = (schema: string) => ajv.getSchema(referenceTo({ schema, form }))!
      return {
        get,
        document: document as unknown as { components: { schemas: Record<string, Schema> } },
      }
    }
    const own = { contract, written: stock(contract), mutator: mutator(contract) }
    return [version, { ...own, exact: compile('exact'), request: compile('request') }]
  }),
)

const toolsOf = (subject: Subject) => tools.get(subject.version)!

/** A field that no schema lists is wrong in our own answers, unless the place takes any. */
const isSurplus = ({ kind, schema }: Mutation): boolean =>
  kind === 'unknown field' && Boolean(schema.properties) && schema.additionalProperties !== true

/** Broken copies of the examples, and of the first one once more with every field that it can hold. */
function mutationsOf(subject: Subject): Mutation[] {
  const { written, mutator } = toolsOf(subject)
  const schema = component(subject.schema)
  const full = mutator.fill(schema, subject.examples[0], written(subject.schema))
  const more = sandboxBodies[subject.schema] ?? []
  return mutator.mutate(schema, ...subject.examples, ...more, full)
}

const subjects = allSubjects()
const rejectedKinds = new Set<string>()

describe.each(subjects)('$label', (subject) => {
  const { written, exact } = toolsOf(subject)
  const [isWritten, isExact] = [written(subject.schema), exact.get(subject.schema)]

  test('takes every example', async () => {
    const validator = await validatorOf(subject)
    expect(subject.examples.length).toBeGreaterThan(0)
    for (const value of subject.examples) {
      expect(isWritten(value)).toBe(true)
      expect(isExact(value)).toBe(true)
      expect(validator.issues(value)).toEqual([])
    }
  })

  test('rejects the copies that the contract says are wrong, and no others', () => {
    const judged = mutationsOf(subject).map((mutation) => {
      const taken = isExact(mutation.value)
      return { mutation, taken, due: isWritten(mutation.value) && !isSurplus(mutation) }
    })
    const wrong = judged.filter(({ taken, due }) => taken !== due)
    expect(wrong.map(({ mutation }) => `${mutation.kind} at ${mutation.path.join('.')}`)).toEqual(
      [],
    )

    const rejected = judged.filter(({ taken }) => !taken)
    expect(rejected.length).toBeGreaterThan(10)
    expect(rejected.length).toBeLessThan(judged.length)
    const kinds = new Set(rejected.map(({ mutation }) => mutation.kind))
    expect([...kinds]).toEqual(expect.arrayContaining(['type', 'unknown field']))
    for (const kind of kinds) rejectedKinds.add(kind)
  })
})

test('every kind of mutation was rejected somewhere', () => {
  const all = ['drop', 'add', 'unknown field', 'type', 'null', 'enum', 'other', 'text', 'length']
  expect([...rejectedKinds].sort()).toEqual([...all, 'number', 'count'].sort())
})

// A rule of the sandbox API takes this component where both fields are there.
const guarded = /^AccountKind required /

describe.each(documents)('the checks of requests in %s', (version) => {
  const { request } = tools.get(version)!
  const own = subjects.filter(
    (subject) => subject.version === version && subject.form === 'request',
  )

  test('are each the reason of an error', () => {
    const unused = checksIn(
      request.document,
      own.map(({ schema }) => schema),
    )
    // Each request has some: credentials alone have six.
    expect(unused.size).toBeGreaterThan(own.length * 6)
    for (const subject of own) {
      const check = request.get(subject.schema)
      for (const { value } of mutationsOf(subject)) {
        if (!check(value)) for (const reason of reasons(check.errors!)) unused.delete(reason)
      }
    }
    expect([...unused].filter((check) => !guarded.test(check))).toEqual([])
  })
})
