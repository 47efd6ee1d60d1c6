import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type OperationId, operations as table } from '#contract/operations.ts'
import type {
  Account,
  AccountType,
  operations,
  Transaction,
  Transfer,
  Wallet,
} from '#contract/types.ts'
import * as walletGet from '#contract/validators/walletGet.js'
import type { OperationId as PlatformOperationId } from '../../generated/platform/operations.ts'
import {
  currentVersion,
  documents,
  eachExample,
  eachOperation,
  generatedFolder,
  readBundle,
} from '../../scripts/contract/contract.ts'
import { sandbox } from '../../scripts/contract/undated.ts'
import type { Open } from '../../src/client/open.ts'
import {
  type Call,
  createClient,
  type ErrorCode,
  type Methods,
  type RequestBody,
  type ResponseBody,
} from '../../src/index.ts'
import { compile, compileAll } from '../support/compile.ts'
import { mutator } from '../support/mutations.ts'

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

/** The types of a version in which no enum takes other values than those that are listed. */
function closedTypes(version: string): string {
  const source = readFileSync(join(generatedFolder(version), 'types.ts'), 'utf8')
  const open = /^import type \{ Open \} .*$/m
  expect(source).toMatch(open)
  return source.replace(open, 'type Open<Known> = Known')
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

test('a field reserved for an object takes any object', () => {
  expectTypeOf<{ source: string }>().toExtend<Transfer['credit_funds_source']>()
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
      `import type { operations as Old } from './in-memory-0.ts'`,
      `import type { operations as Now } from './in-memory-1.ts'`,
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
    // A value of an enum that only one version has is a difference, though both types take it.
    const closed = ['2018-05-22', currentVersion].map(closedTypes)
    const errors = compileAll([...closed, [...head, ...lines, wrong].join('\n')])[2]!
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
    expectTypeOf<keyof Methods>().toEqualTypeOf<OperationId | PlatformOperationId>()
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

describe('an enum', () => {
  test('of an answer takes values that are new, and one of a request those that are listed', () => {
    const check = (account: Account, category: RequestBody<'transactionsGet'>) => {
      expectTypeOf(account.type).toEqualTypeOf<Open<AccountType>>()
      const isNew = account.type === 'brokerage'
      // @ts-expect-error so a misspelt value is found
      const known: AccountType = account.type
      // @ts-expect-error it is not a text at all
      const wrong = account.type === 5
      // @ts-expect-error the service would reject it
      category.options = { personal_finance_category_version: 'v9' }
      return [isNew, known, wrong]
    }
    expect(check).toBeTypeOf('function')
  })

  // The platform API has no enum in a request yet.
  test.each([currentVersion, sandbox])(
    'of %s is open in answers and closed in requests',
    (name) => {
      const contract = readBundle(name)
      const { mutate } = mutator(contract)
      const examples = eachExample(contract).filter(({ operationId }) => operationId)
      const values = examples.flatMap(({ schema, value, status, place }) =>
        mutate(schema, value)
          .filter(({ kind }) => kind === 'enum')
          .map(({ path, value: changed }) => {
            const at = `${place} ${path.filter((key) => typeof key === 'string').join('.')}`
            return [at, { changed, status, type: nameOf(schema.$ref) }] as const
          }),
      )
      const all = [...new Map(values)]
      const lines = all.map(([, { changed, type }], index) => {
        const text = JSON.stringify(changed)
        return `export const a${index} = ${text} satisfies components['schemas']['${type}']`
      })
      const types = `import type { components } from '../../generated/${name}/types.ts'`
      const errors = compile([types, ...lines].join('\n'))
      const wrong = new Set(errors.map((error) => Number.parseInt(error, 10) - 2))
      const refused = all.filter((_, index) => wrong.has(index)).map(([at]) => at)
      const requests = all.filter(([, { status }]) => status === undefined).map(([at]) => at)
      expect(requests.length).toBeGreaterThan(3)
      expect(all.length).toBeGreaterThan(requests.length)
      expect(refused).toEqual(requests)
    },
  )
})

describe('a request that is one thing or another', () => {
  const client = createClient({ baseUrl: 'http://service.example' })
  const attempt = { template_id: 't', is_shareable: false, gave_consent: true }
  const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

  test('compiles in each of its forms', () => {
    const calls = () => [
      client.transferGet({ transfer_id: 'a' }),
      client.transferGet({ authorization_id: 'b' }),
      client.identityVerificationCreate({ ...attempt, client_user_id: 'a', user: {} }),
      client.identityVerificationCreate({ ...attempt, user_id: 'a' }),
      client.identityVerificationCreate({ ...attempt, user_id: 'a', client_user_id: 'b' }),
      client.identityVerificationCreate({ ...attempt, user_id: 'a', user: null }),
      client.oauthToken({ grant_type: 'client_credentials' }),
      client.oauthToken({ grant_type: 'refresh_token', refresh_token: 'a' }),
      client.oauthToken({
        grant_type: exchange,
        audience: 'a',
        subject_token: 'b',
        subject_token_type: 'urn:service:params:tokens:user',
      }),
      client.assetReportGet({ asset_report_token: 'a' }),
      client.assetReportGet({ user_token: 'a' }),
      // A bearer token takes the place of the user token.
      client.assetReportGet({}),
    ]
    expect(calls).toBeTypeOf('function')
  })

  test('does not compile in any other', () => {
    const calls = () => [
      // @ts-expect-error neither of two
      client.transferGet({}),
      // @ts-expect-error both of two
      client.transferGet({ transfer_id: 'a', authorization_id: 'b' }),
      // @ts-expect-error neither names the user
      client.identityVerificationCreate(attempt),
      // @ts-expect-error a user beside the id of one
      client.identityVerificationCreate({ ...attempt, user_id: 'a', user: {} }),
      // @ts-expect-error no grant
      client.oauthToken({}),
      // @ts-expect-error the grant needs its token
      client.oauthToken({ grant_type: 'refresh_token' }),
      // @ts-expect-error an exchange needs three fields
      client.oauthToken({ grant_type: exchange, audience: 'a', subject_token: 'b' }),
      // @ts-expect-error there is no such grant
      client.oauthToken({ grant_type: 'password' }),
      // @ts-expect-error both of two
      client.assetReportGet({ asset_report_token: 'a', user_token: 'b' }),
    ]
    expect(calls).toBeTypeOf('function')
  })
})
