import { expect, test } from 'vitest'
import { ContractError } from '../../scripts/contract/contract-error.ts'
import { explained } from '../../scripts/generate/explain-failure.ts'

test('a mistake of the contract keeps its lines', () => {
  const error = new ContractError(['openapi/a.yaml:1: one', 'openapi/b.yaml:2: two'])
  expect(explained('bundle', error)).toBe(error)
  expect(error.message).toBe('openapi/a.yaml:1: one\nopenapi/b.yaml:2: two')
})

test('a failure that no rule explains names its step', { timeout: 60_000 }, () => {
  const error = explained('types', new Error('it broke'))
  expect(error.message).toMatch(
    /^the step types failed, and `npm run lint` finds no reason: it broke$/,
  )
})
