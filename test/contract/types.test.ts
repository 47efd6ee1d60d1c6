import { describe, expect, expectTypeOf, test } from 'vitest'
import type { OperationId } from '../../generated/2020-09-14/operations.ts'
import type { operations, Transaction, Wallet } from '../../generated/2020-09-14/types.ts'
import * as walletGet from '../../generated/2020-09-14/validators/walletGet.js'
import { documents, eachExample, eachOperation, readBundle } from '../../scripts/contract.ts'
import type { Methods, RequestBody, ResponseBody } from '../../src/index.ts'
import { compile } from '../support/compile.ts'

const nameOf = ($ref: string | undefined): string => $ref?.split('/').pop() ?? ''

/** One line for each example: a constant that must satisfy the type of its schema. */
function satisfying(version: string): { source: string; places: string[] } {
  const examples = eachExample(readBundle(version))
  const lines = examples.map(({ schema, value }, index) => {
    const type = `components['schemas']['${nameOf(schema.$ref)}']`
    return `export const example${index} = ${JSON.stringify(value)} satisfies ${type}`
  })
  const types = `import type { components } from '../../generated/${version}/types.ts'`
  const places = examples.map(({ place, name }) => `${place} ${name}`)
  return { source: [types, ...lines].join('\n'), places }
}

describe.each(documents)('the examples of %s', (version) => {
  test('satisfy the TypeScript types', () => {
    const { source, places } = satisfying(version)
    const errors = compile(source).map((error) => {
      const line = Number.parseInt(error, 10)
      return `${places[line - 2]}: ${error}`
    })
    expect(errors).toEqual([])
  })
})

describe('the guards', () => {
  test('narrow to the types of their operation, both bodies of each', () => {
    const ids = eachOperation(readBundle()).map(({ operation }) => operation.operationId)
    const folder = '../../generated/2020-09-14'
    const lines = ids.map((id, index) => {
      const types = `operations['${id}']`
      const request = `${types}['requestBody']['content']['application/json']`
      const response = `${types}['responses'][200]['content']['application/json']`
      return [
        `import * as v${index} from '${folder}/validators/${id}.js'`,
        `export const q${index}: Same<typeof v${index}.request, ${request}> = true`,
        `export const a${index}: Same<typeof v${index}.response, ${response}> = true`,
      ].join('\n')
    })
    const source = [
      `import type { operations } from '${folder}/types.ts'`,
      `import type { Validator } from '../../src/index.ts'`,
      'type Same<V, T> = [V, Validator<T>] extends [Validator<T>, V] ? true : false',
      ...lines,
    ]
    expect(compile(source.join('\n'))).toEqual([])
    const wrong = `export const q0: Same<typeof v0.request, { nothing: string }> = true`
    expect(compile([...source, wrong.replace('q0', 'wrong')].join('\n'))).toHaveLength(1)
  })
})

describe('the types', () => {
  test('refuse an example with a field too many, one too few and one of another type', () => {
    const types = `import type { Wallet } from '../../src/index.ts'`
    const wallet = eachExample(readBundle()).find(({ name }) => name === 'walletGetResponse')?.value
    const { request_id: _, ...right } = wallet as Record<string, unknown>
    const check = (value: unknown) =>
      compile(`${types}\nexport const it = ${JSON.stringify(value)} satisfies Wallet`).length
    expect(check(right)).toBe(0)
    expect(check({ ...right, surplus: 1 })).toBe(1)
    expect(check({ ...right, wallet_id: undefined })).toBe(1)
    expect(check({ ...right, balance: 5 })).toBe(1)
  })

  test('name every operation of the contract', () => {
    expectTypeOf<keyof operations>().toEqualTypeOf<OperationId>()
    expectTypeOf<keyof Methods>().toEqualTypeOf<OperationId>()
    expect(eachOperation(readBundle())).toHaveLength(26)
  })

  test('tell absent from null', () => {
    expectTypeOf<Transaction['merchant_name']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Transaction['pending_transaction_id']>().toEqualTypeOf<string | null>()
    expectTypeOf<RequestBody<'walletGet'>['wallet_id']>().toEqualTypeOf<string>()
    expectTypeOf<ResponseBody<'walletGet'>['wallet_id']>().toEqualTypeOf<Wallet['wallet_id']>()
  })

  test('are what the guards narrow to', () => {
    const value: unknown = { wallet_id: 'wallet' }
    if (walletGet.request.is(value)) expectTypeOf(value).toEqualTypeOf<RequestBody<'walletGet'>>()
    if (walletGet.response.is(value)) expectTypeOf(value).toEqualTypeOf<ResponseBody<'walletGet'>>()
    expect(walletGet.request.is(value)).toBe(true)
    expect(walletGet.response.is(value)).toBe(false)
  })
})
