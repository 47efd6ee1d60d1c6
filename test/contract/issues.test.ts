import { describe, expect, expectTypeOf, test } from 'vitest'
import type { components } from '#contract/types.ts'
import * as accountsGet from '#contract/validators/accountsGet.js'
import * as sandboxItemSetHealth from '../../generated/sandbox/validators/sandboxItemSetHealth.js'
import * as sandboxTransferCreate from '../../generated/sandbox/validators/sandboxTransferCreate.js'
import { currentVersion, readBundle } from '../../scripts/contract/contract.ts'
import { createAjv } from '../../scripts/validators/compile-schemas.ts'
import { type Issue, type SchemaError, toIssues } from '../../src/validators/issues.ts'
import { cases, type Row, token } from '../support/issue-cases.ts'
import { component, load, subjectsOf, validatorOf } from '../support/json-schema.ts'
import { type Mutation, mutator } from '../support/mutations.ts'

const transfer = {
  account_id: 'kR7Vt2mNq9XwB4cLd8HsP1zYf6GjEa3Uo5Ti2',
  type: 'credit',
  network: 'wire',
  amount: '1.00',
  description: 'rent',
  user: { legal_name: 'Ada Quill' },
}

const rows = (issues: Issue[]): Row[] =>
  issues.map(({ path, code, message }) => [path, code, message])

const issuesOf = async (operationId: string, body: unknown): Promise<Row[]> => {
  const { request } = await load(currentVersion, operationId)
  return rows(request!.issues(body))
}

describe('issues', () => {
  test.each(cases)('%s %j', async (operationId, body, expected) => {
    expect(await issuesOf(operationId, body)).toEqual(expected)
  })

  test('say what keys and values of a map must be', () => {
    const body = { ...transfer, metadata: { clé: 'x', loan: 'é' } }
    expect(rows(sandboxTransferCreate.request.issues(body))).toEqual([
      ['metadata', 'INVALID_FIELD', 'every key must be a string of at most 40 ASCII characters'],
      ['metadata.loan', 'INVALID_FIELD', 'must be a string of at most 500 ASCII characters'],
    ])
  })

  test.each<[string, object, Row]>([
    [
      'a field that the network does not have',
      { network: 'rtp', ach_class: 'ccd' },
      ['ach_class', 'INVALID_FIELD', 'must be left out where `network` is rtp or wire'],
    ],
    [
      'another one, beside a field that is in its place',
      { network: 'ach', ach_class: 'ccd', wire_details: { message_to_beneficiary: 'rent' } },
      [
        'wire_details',
        'INVALID_FIELD',
        'must be left out where `network` is ach, same-day-ach or rtp',
      ],
    ],
  ])('name %s', (_, fields, issue) => {
    expect(rows(sandboxTransferCreate.request.issues({ ...transfer, ...fields }))).toEqual([issue])
  })

  test('name a field that null in another one rejects', () => {
    const body = { access_token: token, error_code: null, error_code_reason: 'OAUTH_INVALID_TOKEN' }
    expect(rows(sandboxItemSetHealth.request.issues(body))).toEqual([
      ['error_code_reason', 'INVALID_FIELD', 'must be left out where `error_code` is null'],
    ])
  })

  test('are none for what is right, and narrow its type', () => {
    const body: unknown = { access_token: token }
    expect(accountsGet.request.issues(body)).toEqual([])
    if (!accountsGet.request.is(body)) throw new Error('it is right')
    expectTypeOf(body).toEqualTypeOf<components['schemas']['AccountsGetRequest']>()
    expect(body.access_token).toBe(token)
  })
})

describe('errors that no request of today leads to', () => {
  const error = { instancePath: '', schemaPath: '#/enum', keyword: 'enum' }

  test('name the field that another one needs', () => {
    const validate = createAjv().compile({
      type: 'object',
      dependentRequired: { city: ['street'] },
    })
    expect(validate({ city: 'Larkspur Falls' })).toBe(false)
    expect(rows(toIssues(validate.errors as SchemaError[], {}, {}))).toEqual([
      ['street', 'MISSING_FIELDS', 'is required'],
    ])
  })

  test('do not list values without end', () => {
    const params = { allowedValues: Array.from({ length: 41 }, (_, index) => index) }
    const message = 'must be one of the values that the reference lists'
    expect(rows(toIssues([{ ...error, params }], 'x', {}))).toEqual([
      ['', 'INVALID_FIELD', message],
    ])
  })

  test('never come out as none', () => {
    const inside = { ...error, schemaPath: '#/properties/anyOf/type', params: {} }
    const unexplained: Row = ['', 'INVALID_FIELD', 'is not as described']
    expect(rows(toIssues([inside], {}, {}))).toEqual([unexplained])
  })
})

const requests = subjectsOf(currentVersion).filter(({ form }) => form === 'request')
const { mutate } = mutator(readBundle())

/** The path as issues write it. */
const dotted = (path: Mutation['path']): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')

describe.each(requests)('the issues of $label', (subject) => {
  const mutations = subject.examples.flatMap((value) => mutate(component(subject.schema), value))

  test('are there exactly when the body is rejected, and in our own words', async () => {
    const validator = await validatorOf(subject)
    for (const { value } of mutations) {
      const issues = validator.issues(value)
      expect(issues.length === 0).toBe(validator.is(value))
      for (const { code, message, ...rest } of issues) {
        expect(message).toMatch(
          /^(is required$|is not a field of this request$|must |cannot hold )/,
        )
        expect(code).toMatch(
          /^(MISSING_FIELDS|UNKNOWN_FIELDS|INVALID_[A-Z_]+|invalid_scope|unsupported_grant_type)$/,
        )
        expect(Object.keys(rest)).toEqual(['path'])
      }
    }
  })

  test('name the path that was changed', async () => {
    const validator = await validatorOf(subject)
    const changes = mutations.filter(({ kind }) => kind === 'type' || kind === 'unknown field')
    const lost = changes.filter(({ kind, path, value }) => {
      const issues = validator.issues(value)
      const isOwn = (issue: Issue) =>
        kind === 'type' ? issue.path.startsWith(dotted(path)) : issue.code === 'UNKNOWN_FIELDS'
      return issues.length > 0 && !issues.some(isOwn)
    })
    expect(lost.map(({ kind, path }) => `${kind} at ${dotted(path)}`)).toEqual([])
  })
})

test('codes of the contract all come up', async () => {
  const text = JSON.stringify(readBundle().components.schemas)
  const declared = [...text.matchAll(/"x-error-code":"(\w+)"/g)].map(([, code]) => code!)
  const found = new Set<string>()
  for (const subject of requests) {
    const validator = await validatorOf(subject)
    for (const { value } of subject.examples.flatMap((v) => mutate(component(subject.schema), v))) {
      for (const { code } of validator.issues(value)) found.add(code)
    }
  }
  const usual = ['MISSING_FIELDS', 'UNKNOWN_FIELDS', 'INVALID_FIELD']
  expect([...found].sort()).toEqual([...new Set([...declared, ...usual])].sort())
})
