import { describe, expect, expectTypeOf, test } from 'vitest'
import type { components } from '#contract/types.ts'
import * as accountsGet from '#contract/validators/accountsGet.js'
import * as protectEventSend from '#contract/validators/protectEventSend.js'
import * as transactionsGet from '#contract/validators/transactionsGet.js'
import * as transactionsSync from '#contract/validators/transactionsSync.js'
import * as linkTokenCreate from '../../generated/platform/validators/linkTokenCreate.js'
import * as sandboxAccountCreate from '../../generated/sandbox/validators/sandboxAccountCreate.js'
import * as sandboxItemFireWebhook from '../../generated/sandbox/validators/sandboxItemFireWebhook.js'
import * as sandboxItemSetHealth from '../../generated/sandbox/validators/sandboxItemSetHealth.js'
import * as sandboxLinkSessionFinish from '../../generated/sandbox/validators/sandboxLinkSessionFinish.js'
import * as sandboxTransactionsCreate from '../../generated/sandbox/validators/sandboxTransactionsCreate.js'
import * as sandboxTransferCreate from '../../generated/sandbox/validators/sandboxTransferCreate.js'
import { currentVersion, readBundle, written } from '../../scripts/contract/contract.ts'
import { createAjv } from '../../src/contract/compile-schemas.ts'
import { type Issue, type SchemaError, toIssues } from '../../src/validators/issues.ts'
import { cases, type Row, token } from '../support/issue-cases.ts'
import { component, load, type Subject, subjectsOf, validatorOf } from '../support/json-schema.ts'
import { type Mutation, mutator } from '../support/mutations.ts'

const transfer = {
  account_id: 'kR7Vt2mNq9XwB4cLd8HsP1zYf6GjEa3Uo5Ti2',
  type: 'credit',
  network: 'wire',
  amount: '1.00',
  description: 'rent',
  user: { legal_name: 'Ada Quill' },
}

const link = {
  client_name: 'Larkspur Lending',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'b-7' },
  products: ['transactions'],
}

const languages = 'one of: da, de, en, es, et, fr, hi, it, lt, lv, nl, no, pl, pt, ro, sv, vi'

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

  test('compare no more of a long value than the first letters', () => {
    const base = { access_token: token, type: 'depository', name: 'Savings' }
    const of = (subtype: string) => rows(sandboxAccountCreate.request.issues({ ...base, subtype }))
    expect(of('chekcing')[0]?.[2]).toContain('such as checking,')
    const long = 'x'.repeat(64)
    expect(of(`${long}checking`)).toEqual(of(`${long}mortgage`))
  })

  test('tell the values of an alternative that is nearest, and look for none near a list', () => {
    const of = (subtype: unknown) =>
      rows(
        linkTokenCreate.request.issues({
          ...link,
          account_filters: { depository: { account_subtypes: [subtype] } },
        }),
      )
    const [text, list] = [of('chekcing'), of(['checking'])]
    expect(text).toHaveLength(1)
    expect(text[0]?.[2]).toMatch(/^must be one of the \d+ values .*, such as checking,/)
    expect(list).toHaveLength(1)
    expect(list[0]?.[2]).toMatch(/^must be /)
  })

  test('say what keys and values of a map must be', () => {
    const body = { ...transfer, metadata: { clé: 'x', loan: 'é' } }
    expect(rows(sandboxTransferCreate.request.issues(body))).toEqual([
      ['metadata', 'INVALID_FIELD', 'every key must be a string of at most 40 ASCII characters'],
      ['metadata.loan', 'INVALID_FIELD', 'must be a string of at most 500 ASCII characters'],
    ])
  })

  test('tell the form of an amount that is a number', () => {
    const [row] = rows(sandboxTransferCreate.request.issues({ ...transfer, amount: 60 }))
    expect(row?.[2]).toMatch(/^must be a string: a decimal string .*such as "\d+\.\d\d"$/)
  })

  test('name at most ten fields of an object', () => {
    const many = { '': { fields: Array.from({ length: 12 }, (_, index) => `f${index}`) } }
    const error = { instancePath: '', schemaPath: '#/type', keyword: 'type' }
    const [issue] = toIssues([{ ...error, params: { type: 'object' } }], [], many)
    expect(issue?.message).toMatch(/^must be an object \(fields: `f0`, .*`f9` and 2 more\)$/)
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

  test('say by which value a rule came to apply', () => {
    const wrong = { access_token: token, type: 'depository', subtype: 'mortgage', name: 'House' }
    expect(rows(sandboxAccountCreate.request.issues(wrong))).toEqual([
      ['type', 'INVALID_FIELD', 'must be one of: loan, where `subtype` is mortgage'],
    ])
    const webhook = { access_token: token, webhook_code: 'ERROR', webhook_type: 'LINK' }
    expect(rows(sandboxItemFireWebhook.request.issues(webhook))).toEqual([
      [
        'webhook_type',
        'INVALID_FIELD',
        'must be one of: ASSETS, ITEM, where `webhook_code` is ERROR',
      ],
    ])
  })

  test.each<[string, () => Issue[], string | undefined]>([
    [
      'what an object must hold',
      () => protectEventSend.request.issues({}),
      'an object with `timestamp` and one of `app_visit`, `user_sign_in`, `user_sign_up`',
    ],
    [
      'the values',
      () => linkTokenCreate.request.issues({ ...link, language: undefined }),
      languages,
    ],
    [
      'the words that stand in the place of values',
      () => sandboxLinkSessionFinish.request.issues({ link_token: 'link-sandbox-1' }),
      'SUCCESS, with `institution_id` unless the link token names one, or EXITED',
    ],
    [
      'what the elements of an array must hold',
      () => sandboxTransactionsCreate.request.issues({ access_token: token }),
      'an array, in which each element is an object with `amount`, `date_posted`, `date_transacted` and `description`',
    ],
    ['nothing of a text', () => accountsGet.request.issues({}), undefined],
  ])('say of a missing field %s', (_, of, form) => {
    const issue = of().find(({ message }) => message === 'is required')
    expect(issue?.form).toBe(form)
  })

  test('tell what an object that may be null must hold', () => {
    const [row] = rows(linkTokenCreate.request.issues({ ...link, user: 'u1' }))
    expect(row?.[2]).toMatch(
      /^must be an object with `client_user_id` \(fields: `client_user_id`, /,
    )
  })

  test.each([
    [`${token}\n`, 'end'],
    [` ${token}`, 'start'],
  ])('name white space around %j', (access_token, place) => {
    const [row] = rows(accountsGet.request.issues({ access_token }))
    expect(row?.[2]).toMatch(new RegExp(`, without white space at its ${place}$`))
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

  test('name the values that a rule leaves, not everything that the field has', () => {
    const debit = { ...transfer, type: 'debit', network: 'ach', ach_class: 'x' }
    expect(rows(sandboxTransferCreate.request.issues(debit))).toEqual([
      ['ach_class', 'INVALID_FIELD', 'must be one of: ccd, tel, web, where `type` is debit'],
    ])
  })

  test('name the values of a field that has another type', () => {
    const body = { access_token: token, options: { personal_finance_category_version: 7 } }
    expect(rows(transactionsSync.request.issues(body))).toEqual([
      ['options.personal_finance_category_version', 'INVALID_FIELD', 'must be one of: v1, v2'],
    ])
  })

  test('list of many values those that are nearest', () => {
    const allowedValues = ['EUR', 'GBP', 'USD', ...Array.from({ length: 38 }, () => 'LONGER')]
    const message = 'must be one of the 41 values that the reference lists, such as USD, EUR, GBP'
    expect(rows(toIssues([{ ...error, params: { allowedValues } }], 'US', {}))).toEqual([
      ['', 'INVALID_FIELD', message],
    ])
  })

  test('name the page that lists the values', () => {
    const body = { access_token: 'access-sandbox-1', type: 'depository', subtype: 'checkin' }
    const [told] = sandboxAccountCreate.request
      .issues(body)
      .filter(({ path }) => path === 'subtype')
    expect(told?.message).toMatch(
      /lists \(\/docs\/sandbox\/sandboxAccountCreate\/\), such as checking,/,
    )
  })

  test.each([
    ['acess_token', 'access_token'],
    ['accessToken', 'access_token'],
    ['account_ids', 'options.account_ids'],
    ['colour', undefined],
  ])('say which field %s probably stands for: %s', (given, meant) => {
    const [issue] = accountsGet.request.issues({ access_token: token, [given]: 'x' })
    expect([issue?.code, issue?.suggestion]).toEqual(['UNKNOWN_FIELDS', meant])
  })

  test.each([
    ['count', 1000, 'options.count', 'must be at most 500'],
    ['count', 10, 'options.count', undefined],
    ['account_ids', 'x', 'options.account_ids', 'must be an array'],
  ])('say of a misplaced %s %j what it has to be in its place', (name, value, meant, form) => {
    const dates = { start_date: '2026-03-01', end_date: '2026-03-02' }
    const [issue] = transactionsGet.request.issues({ access_token: token, ...dates, [name]: value })
    const rest = form === undefined ? '' : `, which ${form}`
    expect(issue).toEqual({
      path: name,
      code: 'UNKNOWN_FIELDS',
      message: `is not a field of this request; did you mean \`${meant}\`${rest}?`,
      suggestion: meant,
      ...(form === undefined ? {} : { form }),
    })
  })

  test('suggest the same name of another object before a similar one of the same', () => {
    const [issue] = transactionsSync.request.issues({ access_token: token, options: { count: 7 } })
    expect(issue?.suggestion).toBe('count')
  })

  test('leave alone a field that is in its place already', () => {
    const options = { count: 7 }
    const dates = { start_date: '2026-03-01', end_date: '2026-03-02' }
    const body = { access_token: token, ...dates, options, count: 1000 }
    const [issue] = transactionsGet.request.issues(body)
    expect([issue?.suggestion, issue?.form]).toEqual(['options.count', undefined])
  })

  test('never come out as none', () => {
    const inside = { ...error, schemaPath: '#/properties/anyOf/type', params: {} }
    const unexplained: Row = ['', 'INVALID_FIELD', 'is not as described']
    expect(rows(toIssues([inside], {}, {}))).toEqual([unexplained])
  })
})

const requests = written.flatMap(subjectsOf).filter(({ form }) => form === 'request')
const mutators = new Map(written.map((document) => [document, mutator(readBundle(document))]))

const mutationsOf = ({ version, schema, examples }: Subject): Mutation[] =>
  examples.flatMap((value) => mutators.get(version)!.mutate(component(schema), value))

/** The path as issues write it. */
const dotted = (path: Mutation['path']): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')

/** A map takes every key that has the right form. */
const saysKeys = ({ path, message }: Issue, map: string): boolean =>
  path === map && message.startsWith('every key must be ')

describe.each(requests)('the issues of $label', (subject) => {
  const mutations = mutationsOf(subject)

  test('are there exactly when the body is rejected, and in our own words', async () => {
    const validator = await validatorOf(subject)
    for (const { value } of mutations) {
      const issues = validator.issues(value)
      expect(issues.length === 0).toBe(validator.is(value))
      for (const { code, message, ...rest } of issues) {
        expect(message).toMatch(
          /^(is required$|is not a field of this request(; did you mean `[\w.]+`(, which must .+)?\?)?$|must |cannot hold |every key must )/,
        )
        expect(code).toMatch(
          /^(MISSING_FIELDS|UNKNOWN_FIELDS|INVALID_[A-Z_]+|invalid_scope|unsupported_grant_type)$/,
        )
        expect(['path', 'path,form', 'path,suggestion', 'path,suggestion,form']).toContain(
          Object.keys(rest).join(),
        )
      }
    }
  })

  test('name the path that was changed', async () => {
    const validator = await validatorOf(subject)
    const changes = mutations.filter(({ kind }) => kind === 'type' || kind === 'unknown field')
    const lost = changes.filter(({ kind, path, value }) => {
      const issues = validator.issues(value)
      const isOwn = (issue: Issue) =>
        kind === 'type'
          ? issue.path.startsWith(dotted(path))
          : issue.code === 'UNKNOWN_FIELDS' || saysKeys(issue, dotted(path))
      return issues.length > 0 && !issues.some(isOwn)
    })
    expect(lost.map(({ kind, path }) => `${kind} at ${dotted(path)}`)).toEqual([])
  })
})

test('codes of the contract all come up', async () => {
  const text = JSON.stringify(written.map((document) => readBundle(document).components.schemas))
  const declared = [...text.matchAll(/"x-error-code":"(\w+)"/g)].map(([, code]) => code!)
  const found = new Set<string>()
  for (const subject of requests) {
    const validator = await validatorOf(subject)
    for (const { value } of mutationsOf(subject)) {
      for (const { code } of validator.issues(value)) found.add(code)
    }
  }
  const usual = ['MISSING_FIELDS', 'UNKNOWN_FIELDS', 'INVALID_FIELD']
  expect([...found].sort()).toEqual([...new Set([...declared, ...usual])].sort())
})
