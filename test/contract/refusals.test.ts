import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations, validators } from '#contract/operations.ts'
import {
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
} from '../../scripts/contract/contract.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { jsonHeaders, type RunningMock, startMock } from '../support/mock.ts'
import { mutator } from '../support/mutations.ts'

// Whatever the validator rejects the mock rejects, and with the same code.

const contract = readBundle()
const { mutate } = mutator(contract)
const credentials = ['client_id', 'secret', 'client_secret']

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

/** What is no object is rejected before its fields; credentials are held against the headers' too. */
const isJudgedByFields = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  !credentials.some((name) => name in body)

async function errorOf(path: string, body: unknown): Promise<unknown> {
  const init = { headers: jsonHeaders, body: JSON.stringify(body) }
  const { response, body: answer } = await mock.post(path, init)
  return response.ok ? undefined : (answer['error_code'] ?? answer['error'])
}

describe.each(eachOperation(contract))('$operation.operationId', ({ path, operation }) => {
  const id = operation.operationId as OperationId
  const { value } = eachExample(contract).find(({ place }) => place === `${id} request`)!

  test('rejects a spoilt request with the code of the validator', async () => {
    const { request } = await validators[id]()
    const spoilt = mutate(requestSchema(operation), value)
      .map(({ value: body }) => body)
      .filter((body) => isJudgedByFields(body))
    const { oauth } = operations[id]
    const expected = spoilt.map((body) => codeOf(request.issues(body), oauth))
    const answered = await Promise.all(spoilt.map((body) => errorOf(path, body)))
    const differing = spoilt.flatMap((body, index) =>
      // What the validator lets pass, a rule beyond the schema may still reject.
      expected[index] === undefined || answered[index] === expected[index]
        ? []
        : [`${JSON.stringify(body)}: ${answered[index]}, the validator ${expected[index]}`],
    )
    expect(differing).toEqual([])
    expect(expected.filter(Boolean).length).toBeGreaterThan(0)
  })
})
