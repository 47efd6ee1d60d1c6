import { describe, expect, test } from 'vitest'
import {
  currentVersion,
  eachOperation,
  reach,
  readBundle,
  requestSchema,
} from '../../scripts/contract/contract.ts'
import { compilerOf } from '../../src/contract/form-compiler.ts'
import { type Body, bodiesOf, bodyRules, nullBodies } from '../support/body-rules.ts'
import { component } from '../support/json-schema.ts'

// What fields say of each other is easily lost in a schema, and no answer of the service would show
// that: here each such rule is said once more, in code, and both judge the same bodies.

const contract = readBundle()
const names = eachOperation(contract).map(
  ({ operation }) => requestSchema(operation).$ref!.split('/').pop()!,
)
const ofRequests = reach(contract, names)
const compilers = {
  request: compilerOf(currentVersion, 'request'),
  exact: compilerOf(currentVersion, 'exact'),
}

describe.each(bodyRules)('$schema', (rule) => {
  const compiler = compilers[ofRequests.has(rule.schema) ? 'request' : 'exact']
  const fits = compiler.compile(component(rule.schema))
  const example = (contract.components.schemas[rule.schema]!.examples?.[0] ?? {}) as Body

  test('is judged as the rules say', () => {
    const judged = [...bodiesOf(rule, example)].map((body) => ({ body, taken: fits(body) }))
    const wrong = judged.filter(({ body, taken }) => taken !== rule.holds(body))
    expect(wrong.slice(0, 3)).toEqual([])
    const taken = judged.filter((one) => one.taken).length
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(judged.length)
  })
})

test('every body of an operation or a webhook is an object', () => {
  expect(nullBodies(contract, (form, schema) => compilers[form].compile(schema))).toEqual([])
})
