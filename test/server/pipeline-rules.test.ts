import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/server/kernel/errors.ts'
import { inBytes } from '../../src/server/pipeline/body-limits.ts'
import { checkBodyRules } from '../../src/server/pipeline/body-rules.ts'
import { listIgnored } from '../../src/server/pipeline/ignored-fields.ts'
import { tellPadding } from '../../src/server/pipeline/padding.ts'

// Rules of requests that no schema can state, one by one.

type Id = Parameters<typeof checkBodyRules>[0]

const now = new Date('2026-03-16T12:00:00Z')

function wrongIn(operationId: Id, body: object): string | undefined {
  try {
    checkBodyRules(operationId, body as never, { clientId: 'me', now } as never)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('a body', () => {
  const userAt = (date_of_birth: string) => ({ consumer_report_user_identity: { date_of_birth } })
  const shares = (success: number) => ({ success, error_plaid: 0.1, error_institution: 0.2 })
  const breakdown = (success: number) => ({
    status: { item_logins: { breakdown: shares(success) } },
  })
  const own = { subject_token_type: 'urn:service:params:tokens:user' }
  const instant = { auth_methods: { instant_auth: true } }

  test.each<[Id, object]>([
    ['transferMigrateAccount', { routing_number: '021000021', wire_routing_number: '011401533' }],
    ['transferMigrateAccount', { routing_number: '021000021', wire_routing_number: null }],
    ['transactionsGet', { start_date: '2026-03-01', end_date: '2026-03-01' }],
    ['transactionsSync', { account_id: 'a', options: { account_id: 'a' } }],
    ['transactionsSync', { account_id: 'a', options: {} }],
    ['transactionsSync', { options: { account_id: 'a' } }],
    ['protectEventSend', { event: { timestamp: '2026-03-16T12:05:00Z' } }],
    ['protectEventSend', { event: {}, timestamp: '2026-03-16T12:05:00Z' }],
    ['oauthToken', { ...own, audience: 'me' }],
    ['oauthToken', { subject_token_type: 'other', audience: 'you' }],
    ['userCreate', {}],
    ['userCreate', userAt('2026-03-16')],
    ['identityVerificationCreate', {}],
    ['identityVerificationCreate', { user: { date_of_birth: '2026-03-16' } }],
    ['identityVerificationCreate', { user: { address: { country: 'US' } } }],
    ['sandboxInstitutionCreate', { products: ['auth'], ...instant }],
    ['sandboxInstitutionCreate', { products: ['auth'] }],
    ['sandboxInstitutionCreate', { products: ['identity'], auth_methods: {} }],
    ['sandboxInstitutionCreate', { products: [], ...breakdown(0.7) }],
    ['sandboxInstitutionCreate', { products: [], status: { item_logins: null, auth: {} } }],
  ])('of %s may be %o', (operationId, body) => {
    expect(wrongIn(operationId, body)).toBeUndefined()
  })

  test.each<[Id, object, string]>([
    ['transferMigrateAccount', { routing_number: '021000022' }, '`routing_number`'],
    ['transferMigrateAccount', { routing_number: '012000021' }, '`routing_number`'],
    ['transferMigrateAccount', { wire_routing_number: '021000022' }, '`wire_routing_number`'],
    ['transactionsGet', { start_date: '2026-03-02', end_date: '2026-03-01' }, '`start_date`'],
    ['transactionsSync', { account_id: 'a', options: { account_id: 'b' } }, '`options.account_id`'],
    ['protectEventSend', { event: { timestamp: '2026-03-16T12:05:01Z' } }, '`event.timestamp`'],
    ['protectEventSend', { event: {}, timestamp: '2026-03-16T12:05:01Z' }, '`timestamp`'],
    ['oauthToken', { ...own, audience: 'you' }, '`audience`'],
    ['userCreate', userAt('2026-03-17'), '`consumer_report_user_identity.date_of_birth`'],
    ['identityVerificationCreate', { user: { date_of_birth: '2026-03-17' } }, '`user.date_of'],
    ['identityVerificationCreate', { user: { address: { country: 'ZZ' } } }, '`user.address.c'],
    ['sandboxInstitutionCreate', { products: ['auth'], auth_methods: {} }, '`products`'],
    ['sandboxInstitutionCreate', { products: [], ...breakdown(0.8) }, '`status.item_logins.break'],
    ['sandboxInstitutionCreate', { products: [], ...breakdown(0.6) }, '`status.item_logins.break'],
  ])('of %s may not be %o', (operationId, body, field) => {
    expect(wrongIn(operationId, body)).toContain(field)
  })
})

describe('an error about a field', () => {
  const told = (message: string, body: object) => {
    const error = new ApiError('INVALID_FIELD', { message })
    tellPadding(error, body as never)
    return error.message.slice(message.length)
  }
  const message = '`user.names[0]` must be known'

  test('says where white space stands around the value', () => {
    const at = (name: unknown) => told(message, { user: { names: [name] } })
    expect(at(' a')).toBe('; it has white space at its start')
    expect(at('a\n')).toBe('; it has white space at its end')
    expect(at(' a ')).toBe('; it has white space at its end')
    expect([at('a b'), at(7), at(undefined)]).toEqual(['', '', ''])
    expect(told('the field `id` is wrong', { id: ' a' })).toContain('start')
    expect(told('`id` is wrong', { id: 'a ' })).toContain('end')
  })

  test('says nothing where it names no field of the body', () => {
    expect(told('wrong: `id` ', { id: ' a' })).toBe('')
    expect(told('`id`: wrong', { id: ' a' })).toBe('')
    expect(told('`toString` is wrong', {})).toBe('')
    expect(told('`id.length` is wrong', { id: ' a' })).toBe('')
    expect(told('`user.id` is wrong', { user: null })).toBe('')
    expect(told('`i-d` is wrong', { 'i-d': ' a', i: ' a' })).toBe('')
  })
})

describe('ignored fields', () => {
  const fields = [{ path: 'option.count' }, { path: 'acount_id', suggestion: 'account_id' }]

  test('are named, each with what was probably meant', () => {
    expect(listIgnored(fields)).toBe('option.count, acount_id (did you mean account_id?)')
    expect(listIgnored(fields, '`')).toBe(
      '`option.count`, `acount_id` (did you mean `account_id`?)',
    )
  })

  test('are not named where the name may be a secret', () => {
    const odd = ['a b', 'a\n', '', 'a'.repeat(101)].map((path) => ({ path }))
    expect(new Set(listIgnored(odd, '`').split(', '))).toEqual(
      new Set(['a field with another name']),
    )
    expect(listIgnored([{ path: 'a'.repeat(100) }])).toBe('a'.repeat(100))
  })
})

test('a size is told in the unit that divides it', () => {
  expect([inBytes(2 ** 20), inBytes(5 * 2 ** 20), inBytes(65_536), inBytes(512)]).toEqual([
    '1 MiB',
    '5 MiB',
    '64 KiB',
    '0.5 KiB',
  ])
})
