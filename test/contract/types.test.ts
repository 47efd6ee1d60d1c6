import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type OperationId, operations as table } from '#contract/operations.ts'
import type { operations, Transaction, Wallet } from '#contract/types.ts'
import * as walletGet from '#contract/validators/walletGet.js'
import {
  currentVersion,
  documents,
  eachExample,
  eachOperation,
  readBundle,
} from '../../scripts/contract/contract.ts'
import {
  type Call,
  createClient,
  type ErrorCode,
  type Methods,
  type RequestBody,
  type ResponseBody,
} from '../../src/index.ts'
import { compile, compileAll } from '../support/compile.ts'

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

describe('the examples', () => {
  const all = documents.map((version, index) => ({ version, index, ...satisfying(version) }))
  let found: string[][]
  beforeAll(() => {
    found = compileAll(all.map(({ source }) => source))
  })

  test.each(all)('of $version satisfy the TypeScript types', ({ index, places }) => {
    const errors = found[index]!.map((error) => {
      const line = Number.parseInt(error, 10)
      return `${places[line - 2]}: ${error}`
    })
    expect(errors).toEqual([])
  })
})

describe('the guards', () => {
  test('narrow to the types of their operation, both bodies of each', () => {
    const ids = eachOperation(readBundle()).map(({ operation }) => operation.operationId)
    const lines = ids.map((id, index) => {
      const types = `operations['${id}']`
      const request = `${types}['requestBody']['content']['application/json']`
      const response = `${types}['responses'][200]['content']['application/json']`
      return [
        `import * as v${index} from '#contract/validators/${id}.js'`,
        `export const q${index}: Same<typeof v${index}.request, ${request}> = true`,
        `export const a${index}: Same<typeof v${index}.response, ${response}> = true`,
      ].join('\n')
    })
    const source = [
      `import type { operations } from '#contract/types.ts'`,
      `import type { Validator } from '../../src/index.ts'`,
      'type Same<V, T> = [V, Validator<T>] extends [Validator<T>, V] ? true : false',
      ...lines,
    ]
    expect(compile(source.join('\n'))).toEqual([])
    const wrong = `export const q0: Same<typeof v0.request, { nothing: string }> = true`
    expect(compile([...source, wrong.replace('q0', 'wrong')].join('\n'))).toHaveLength(1)
  })
})

describe('a client of an older version', () => {
  const older = createClient({ baseUrl: 'http://service.example', version: '2018-05-22' })
  const newest = createClient({ baseUrl: 'http://service.example' })

  test('has the bodies, the answers and the codes of that version', () => {
    type Removed = ResponseBody<'itemRemove', '2018-05-22'>
    expectTypeOf<Removed>().toHaveProperty('removed')
    expectTypeOf<ResponseBody<'itemRemove'>>().not.toHaveProperty('removed')
    expectTypeOf(older.itemRemove).returns.toEqualTypeOf<
      Call<Removed, ErrorCode<'itemRemove', '2018-05-22'>>
    >()
    expectTypeOf(older).toEqualTypeOf(newest.at('2018-05-22'))
    expect([older.version, newest.version]).toEqual(['2018-05-22', currentVersion])
  })

  test('takes another version for one call where the types are alike, and nowhere else', () => {
    const call = () => {
      newest.walletList({}, { version: '2018-05-22' })
      newest.accountsGet({ access_token: 'token' }, { version: '2019-05-29' })
      // @ts-expect-error accounts had other types then
      newest.accountsGet({ access_token: 'token' }, { version: '2018-05-22' })
      // @ts-expect-error there is no such version
      newest.walletList({}, { version: '2017-01-01' })
    }
    expect(call).toBeTypeOf('function')
  })

  test('is what a call may ask for exactly where both contracts have the same types', () => {
    const ids = eachOperation(readBundle()).map(({ operation }) => operation.operationId)
    const head = [
      `import type { operations as Old } from '../../generated/2018-05-22/types.ts'`,
      `import type { operations as Now } from '#contract/types.ts'`,
      `import type { Methods } from '../../src/index.ts'`,
      `type Json<B> = { content: { 'application/json': B } }`,
      `type Both<T> = T extends { requestBody: Json<infer B>; responses: { 200: Json<infer A> } } ? [B, A] : 0`,
      `type Fits<A, B> = [A, B] extends [B, A] ? true : false`,
      `type Open<M extends (...all: never[]) => unknown> =`,
      `  '2018-05-22' extends NonNullable<Parameters<M>[1] & {}>['version' & keyof NonNullable<Parameters<M>[1]>] ? true : false`,
    ]
    const lines = ids.map((id, index) => {
      const alike = `Fits<Both<Old['${id}']>, Both<Now['${id}']>>`
      return `export const a${index}: Fits<Open<Methods['${id}']>, ${alike}> = true`
    })
    const wrong = `export const wrong: Open<Methods['accountsGet']> = true`
    const errors = compile([...head, ...lines, wrong].join('\n'))
    const expected = head.length + lines.length + 1
    expect(errors.map((error) => Number.parseInt(error, 10))).toEqual([expected])
  })
})

describe('the types', () => {
  test('reject an example with a field too many, one too few and one of another type', () => {
    const types = `import type { Wallet } from '../../src/index.ts'`
    const wallet = eachExample(readBundle()).find(({ name }) => name === 'walletGetResponse')?.value
    const { request_id: _, ...right } = wallet as Record<string, unknown>
    const wrong = [
      { ...right, surplus: 1 },
      { ...right, wallet_id: undefined },
      { ...right, balance: 5 },
    ]
    const lines = [right, ...wrong].map((value, index) => {
      return `export const it${index} = ${JSON.stringify(value)} satisfies Wallet`
    })
    const errors = compile([types, ...lines].join('\n'))
    expect(errors.map((error) => Number.parseInt(error, 10))).toEqual([3, 4, 5])
  })

  test('name every operation of the contract', () => {
    expectTypeOf<keyof operations>().toEqualTypeOf<OperationId>()
    expectTypeOf<keyof Methods>().toEqualTypeOf<OperationId>()
    const ids = eachOperation(readBundle()).map(({ operation }) => operation.operationId)
    expect(Object.keys(table)).toEqual(ids)
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
