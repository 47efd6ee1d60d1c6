import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Contract,
  componentName,
  eachExample,
  eachOperation,
  reach,
  readBundle,
  requestSchema,
  responseSchema,
} from '../../scripts/contract/contract.ts'
import { reviewOne } from '../../scripts/diff/review.ts'
import type { Direction } from '../../scripts/diff/verdicts.ts'
import { mutator } from '../support/mutations.ts'
import { randomEdits, schemasIn } from './random-edits.ts'
import { validatorOf } from './witness.ts'

// What the review lets through, the validators have to let through as well: they know nothing of it.

const contract = readBundle()
const examples = eachExample(contract)

interface Body {
  path: string
  direction: Direction
  schema: string
  example: unknown
}

const bodies = eachOperation(contract).flatMap(({ path, operation }): Body[] => {
  const { operationId } = operation
  const schemas = { request: requestSchema(operation), 200: responseSchema(contract, operation) }
  return Object.entries(schemas).map(([side, schema]) => {
    const example = examples.find(({ place }) => place === `${operationId} ${side}`)!.value
    const direction = side === 'request' ? 'request' : 'answer'
    return { path, direction, schema: componentName(schema)!, example }
  })
})

interface Outcome {
  isBreaking: boolean
  /** A body that was fine for one side and is rejected by the other. */
  witness: unknown
}

function outcomeOf(body: Body, before: Contract, after: Contract): Outcome {
  const found = reviewOne('random', { before, after })
  const isBreaking = found.some(
    (one) => one.verdict === 'breaking' && one.direction === body.direction,
  )
  const isRequest = body.direction === 'request'
  const [sender, receiver] = isRequest ? [before, after] : [after, before]
  const isSent = validatorOf(sender, body.schema, isRequest ? 'request' : 'exact')
  const isTaken = validatorOf(receiver, body.schema, isRequest ? 'request' : 'tolerant')
  const schema = sender.components.schemas[body.schema]!
  const { mutate, fill } = mutator(sender)
  const full = fill(schema, body.example, isSent)
  const values = [body.example, full, ...mutate(schema, body.example, full).map((one) => one.value)]
  return { isBreaking, witness: values.find((value) => isSent(value) && !isTaken(value)) }
}

test('no edit at random breaks a validator without breaking in the review', {
  timeout: 120_000,
}, () => {
  const missed: string[] = []
  let shown = 0
  const edits = fc.record({
    body: fc.constantFrom(...bodies),
    name: fc.constantFrom(...Object.keys(randomEdits)),
    numbers: fc.array(fc.nat(), { minLength: 2, maxLength: 2 }),
  })
  for (const { body, name, numbers } of fc.sample(edits, { seed: 20260316, numRuns: 50 })) {
    const pick = <T>(all: T[]): T => all[(numbers[0] ?? 0) % all.length]!
    const before = { ...contract, paths: { [body.path]: contract.paths[body.path]! }, webhooks: {} }
    const after = structuredClone(before)
    const places = [...reach(after, [body.schema])].flatMap((target) =>
      schemasIn(after.components.schemas[target]!).map((schema) => ({ target, schema })),
    )
    const start = numbers.shift()! % places.length
    const place = [...places.slice(start), ...places.slice(0, start)].find(({ schema }) => {
      const old = JSON.stringify(schema)
      randomEdits[name]!(schema, pick)
      return JSON.stringify(schema) !== old
    })
    if (!place) continue
    const { isBreaking, witness } = outcomeOf(body, before, after)
    if (witness !== undefined) shown += 1
    if (witness !== undefined && !isBreaking) {
      missed.push(`${body.schema}: ${name} in ${place.target}`)
    }
  }
  expect(missed).toEqual([])
  // Many edits break no client, or only bodies that the mutations do not reach.
  expect(shown).toBeGreaterThan(4)
})
