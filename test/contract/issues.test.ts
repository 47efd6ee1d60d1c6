import { describe, expect, expectTypeOf, test } from 'vitest'
import type { components } from '../../generated/2020-09-14/types.ts'
import * as accountsGet from '../../generated/2020-09-14/validators/accountsGet.js'
import { currentVersion, readBundle } from '../../scripts/contract.ts'
import type { Issue } from '../../src/validators/issues.ts'
import { component, load, subjectsOf, validatorOf } from '../support/json-schema.ts'
import { type Mutation, mutator } from '../support/mutations.ts'

type Row = [path: string, code: string, message: string]

const rows = (issues: Issue[]): Row[] => issues.map(({ path, code, message }) => [path, code, message])

const issuesOf = async (operationId: string, body: unknown): Promise<Row[]> => {
  const { request } = await load(currentVersion, operationId)
  return rows(request!.issues(body))
}

const token = 'access-sandbox-00000000-0000-4000-8000-000000000001'
const required = 'is required'
const unknown = 'is not a field of this request'
const address = { street: '1 Mill St', city: 'Larkspur Falls', region: 'OR', country: 'US' }
const verify = { is_shareable: true, template_id: 'idvtmp_1', gave_consent: true, client_user_id: 'b-7' }
const migrate = { routing_number: '021000021', account_type: 'checking' }
const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: 'user-1',
  subject_token_type: 'urn:service:params:tokens:user',
}

const cases: [operationId: string, body: unknown, expected: Row[]][] = [
  // What is missing: absent, or null where null is no value.
  ['accountsGet', {}, [['access_token', 'MISSING_FIELDS', required]]],
  ['accountsGet', { access_token: null }, [['access_token', 'MISSING_FIELDS', required]]],
  ['protectEventSend', { event: { app_visit: {} } }, [['event.timestamp', 'MISSING_FIELDS', required]]],
  [
    'userCreate',
    { client_user_id: 'b-7', identity: { emails: ['a@b.example', { primary: true }] } },
    [['identity.emails[1].data', 'MISSING_FIELDS', required]],
  ],
  ['transferMigrateAccount', { ...migrate, account_number: null }, [['account_number', 'MISSING_FIELDS', required]]],
  // What is unknown, at each level.
  [
    'accountsGet',
    { access_token: token, x: 1, options: { y: 2 } },
    [
      ['x', 'UNKNOWN_FIELDS', unknown],
      ['options.y', 'UNKNOWN_FIELDS', unknown],
    ],
  ],
  [
    'userCreate',
    { client_user_id: 'b-7', identity: { addresses: [{ country: 'US' }, { country: 'US', z: 1 }] } },
    [['identity.addresses[1].z', 'UNKNOWN_FIELDS', unknown]],
  ],
  // Codes of their own, where the contract gives one.
  [
    'accountsGet',
    { access_token: 'nonsense' },
    [['access_token', 'INVALID_ACCESS_TOKEN', 'must be an access token, which starts with "access-" and the environment']],
  ],
  ['accountsGet', { access_token: 7 }, [['access_token', 'INVALID_FIELD', 'must be a string']]],
  [
    'identityVerificationList',
    { template_id: 'idvtmp_1', user_id: { user_id: '7' } },
    [['user_id.user_id', 'INVALID_USER_ID', 'must be a user id, which starts with "usr_"']],
  ],
  [
    'transferMigrateAccount',
    { ...migrate, account_number: '12' },
    [['account_number', 'INVALID_ACCOUNT_NUMBER', 'must be an account number of 4 to 17 digits']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user: { address } },
    [['user.address.postal_code', 'INVALID_FIELD', required]],
  ],
  ['identityVerificationCreate', { ...verify, user: { address: {} } }, [['user.address.country', 'INVALID_FIELD', required]]],
  // The wording of each kind of refusal.
  ['accountsGet', [], [['', 'INVALID_FIELD', 'must be an object']]],
  ['accountsGet', { access_token: token, options: { account_ids: 1 } }, [['options.account_ids', 'INVALID_FIELD', 'must be an array']]],
  ['walletList', { count: '5' }, [['count', 'INVALID_FIELD', 'must be an integer']]],
  ['walletList', { count: 0 }, [['count', 'INVALID_FIELD', 'must be at least 1']]],
  ['walletList', { count: 21 }, [['count', 'INVALID_FIELD', 'must be at most 20']]],
  ['walletList', { iso_currency_code: 'XXX' }, [['iso_currency_code', 'INVALID_FIELD', 'must be one of: GBP, EUR']]],
  ['dashboardUserList', { cursor: 5 }, [['cursor', 'INVALID_FIELD', 'must be a string or null']]],
  ['dashboardUserList', { cursor: '' }, [['cursor', 'INVALID_FIELD', 'must be at least 1 character long']]],
  ['walletGet', { wallet_id: 'w'.repeat(129) }, [['wallet_id', 'INVALID_FIELD', 'must be at most 128 characters long']]],
  [
    'assetReportCreate',
    { access_tokens: [], days_requested: 61 },
    [['access_tokens', 'INVALID_FIELD', 'must hold at least 1 element']],
  ],
  [
    'assetReportCreate',
    { access_tokens: [token, token], days_requested: 61 },
    [['access_tokens', 'INVALID_FIELD', 'must not hold the same element twice']],
  ],
  [
    'institutionsSearch',
    { query: 'x', country_codes: new Array(101).fill('US') },
    [['country_codes', 'INVALID_FIELD', 'must hold at most 100 elements']],
  ],
  [
    'institutionsSearch',
    { query: 'x', country_codes: ['us'] },
    [['country_codes[0]', 'INVALID_FIELD', expect.stringMatching(/^must be one of/) as unknown as string]],
  ],
  ['protectEventSend', { event: { timestamp: '2026-03-16T14:05:09Z', app_visit: {}, ...many(1001) } }, [['event', 'INVALID_FIELD', 'must hold at most 1000 entries']]],
  [
    'transactionsGet',
    { access_token: token, start_date: '2026-02-30', end_date: '2026-03-16' },
    [['start_date', 'INVALID_FIELD', 'must be a calendar date in the form YYYY-MM-DD']],
  ],
  [
    'userCreate',
    { client_user_id: 'maren.talvik@example.com' },
    [['client_user_id', 'INVALID_FIELD', 'must be 1 to 128 characters, and neither an e-mail address nor a phone number']],
  ],
  // Rules between fields.
  ['transferGet', {}, [['', 'MISSING_FIELDS', 'must hold `transfer_id` or `authorization_id`']]],
  [
    'transferGet',
    { transfer_id: '1', authorization_id: '2' },
    [['', 'INVALID_FIELD', 'must hold only one of `transfer_id` and `authorization_id`']],
  ],
  [
    'protectEventSend',
    { event: { timestamp: '2026-03-16T14:05:09Z' } },
    [['event', 'INVALID_FIELD', 'must hold `app_visit`, `user_sign_in` or `user_sign_up`']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, client_user_id: undefined },
    [['', 'MISSING_FIELDS', 'must hold `client_user_id` or `user_id`']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user_id: 'usr_1', user: {} },
    [['', 'INVALID_FIELD', 'cannot hold `user` and `user_id` together']],
  ],
  [
    'oauthToken',
    { ...exchange, audience: 'a,b' },
    [['audience', 'INVALID_FIELD', 'must be one client id, since only the multi-user type takes partners and lists']],
  ],
  ['oauthToken', exchange, [['audience', 'MISSING_FIELDS', required]]],
  [
    'identityVerificationCreate',
    { ...verify, user: { id_number: { type: 'us_ssn', value: '12' } } },
    [['user.id_number.value', 'INVALID_FIELD', 'must be exactly 9 digits for us_ssn']],
  ],
]

function many(length: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index]))
}

describe('issues', () => {
  test.each(cases)('%s %j', async (operationId, body, expected) => {
    expect(await issuesOf(operationId, body)).toEqual(expected)
  })

  test('are none for what is right, and narrow its type', () => {
    const body: unknown = { access_token: token }
    expect(accountsGet.request.issues(body)).toEqual([])
    if (!accountsGet.request.is(body)) throw new Error('it is right')
    expectTypeOf(body).toEqualTypeOf<components['schemas']['AccountsGetRequest']>()
    expect(body.access_token).toBe(token)
  })
})

const requests = subjectsOf(currentVersion).filter(({ form }) => form === 'request')
const { mutate } = mutator(readBundle())

/** The path as issues write it. */
const dotted = (path: Mutation['path']): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('').replace(/^\./, '')

describe.each(requests)('the issues of $label', (subject) => {
  const mutations = subject.examples.flatMap((value) => mutate(component(subject.schema), value))

  test('are there exactly when the body is refused, and in our own words', async () => {
    const validator = await validatorOf(subject)
    for (const { value } of mutations) {
      const issues = validator.issues(value)
      expect(issues.length === 0).toBe(validator.is(value))
      for (const { code, message, ...rest } of issues) {
        expect(message).toMatch(/^(is required$|is not a field of this request$|must |cannot hold )/)
        expect(code).toMatch(/^(MISSING_FIELDS|UNKNOWN_FIELDS|INVALID_[A-Z_]+|invalid_scope|unsupported_grant_type)$/)
        expect(Object.keys(rest)).toEqual(['path'])
      }
    }
  })

  test('name the place that was changed', async () => {
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
