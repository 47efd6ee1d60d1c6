import { describe, expect, test } from 'vitest'
import { evaluate, fillIn, holds, type Scope } from '../../src/conform/workflow.ts'

const scope: Scope = {
  inputs: { clientId: 'sandbox-client' },
  outputs: new Map([['issue.token', 'svr-1']]),
  status: 200,
  body: { accounts: [{ account_id: 'a1' }], has_more: false },
}

describe('an expression of a workflow', () => {
  test.each([
    ['$statusCode', 200],
    ['$inputs.clientId', 'sandbox-client'],
    ['$steps.issue.outputs.token', 'svr-1'],
    ['$response.body#/accounts/0/account_id', 'a1'],
    ['$response.body#/accounts/1/account_id', undefined],
    ['plain', 'plain'],
  ])('%s', (text, value) => {
    expect(evaluate(text, scope)).toBe(value)
  })

  test('that is not known is an error', () => {
    expect(() => evaluate('$request.body', scope)).toThrow('the expression is not known')
    expect(() => holds('$statusCode > 200', scope)).toThrow('the condition is not known')
  })

  test('stands for its value in a body', () => {
    const body = { token: '$steps.issue.outputs.token', list: ['$inputs.clientId', 7, null] }
    expect(fillIn(body, scope)).toEqual({ token: 'svr-1', list: ['sandbox-client', 7, null] })
  })
})

test.each([
  ['$statusCode == 200', true],
  ['$statusCode != 200', false],
  ['$response.body#/has_more == false', true],
  ['$response.body#/accounts/0/account_id == "a1"', true],
  ['$response.body#/accounts/0/account_id == $steps.issue.outputs.token', false],
])('the condition %s holds: %s', (condition, expected) => {
  expect(holds(condition, scope)).toBe(expected)
})
