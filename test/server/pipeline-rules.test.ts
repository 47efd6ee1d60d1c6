import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/server/kernel/errors.ts'
import { createBodyBlock, packBodies } from '../../src/server/pipeline/body-block.ts'
import { inBytes } from '../../src/server/pipeline/body-limits.ts'
import { checkBodyRules } from '../../src/server/pipeline/body-rules.ts'
import { withoutSecret } from '../../src/server/pipeline/call-bodies.ts'
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

describe('the bodies of pending calls', () => {
  const most = 64 * 1024
  const add = (
    block: ReturnType<typeof createBodyBlock>,
    text: string,
    headers: Record<string, string> = {},
  ) => block.addRequest(headers, Buffer.from(text), text)

  test('are packed one after the other, with what describes them', () => {
    const block = createBodyBlock()
    const headers = { 'user-agent': 'a'.repeat(1025), 'content-type': 'text/json', cookie: 'c' }
    const first = add(block, '{"a":1}', headers)
    const second = add(block, '{"b":2}', { authorization: 'BEARER x' })
    const unread = add(block, '{"secret":', { authorization: 'Basic x' })
    const third = add(block, '{"secret":"s","c":"é"}', headers)
    if (!first || !second || !unread || !third) throw new Error('there is room')
    expect(block.addAnswer(second, '{"é":3}')).toBe(true)
    expect(block.addAnswer(unread, '{}')).toBe(true)
    const { heads, bodies } = packBodies([first, undefined, second, unread, third])
    const shown = { 'user-agent': 'a'.repeat(1024), 'content-type': 'text/json' }
    expect(heads).toEqual([
      [shown, 7, null, false, false],
      null,
      [{}, 7, 8, false, true],
      [{}, null, 2, false, false],
      [shown, 10, null, false, false],
    ])
    expect(bodies.toString()).toBe('{"a":1}{"b":2}{"é":3}{}{"c":"é"}')
  })

  test('share the headers of the call before, if these are the same', () => {
    const block = createBodyBlock()
    const headers = { 'user-agent': 'a', prefer: 'b' }
    const [first, second] = [add(block, '{}', headers), add(block, '{}', { ...headers })]
    expect(second?.headers).toBe(first?.headers)
    expect(add(block, '{}', { prefer: 'b' })?.headers).toEqual({ prefer: 'b' })
    expect(first?.headers).toEqual(headers)
    expect(add(block, '{}', { prefer: 'c', 'service-version': '1' })?.headers).toEqual({
      prefer: 'c',
      'service-version': '1',
    })
  })

  test('can be empty, and are read as their media type says', () => {
    expect(add(createBodyBlock(), '')).toMatchObject({ start: 0, end: 0, cut: false })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const text = 'secret=s&count=1'
    const asForm = add(createBodyBlock(), text, form)
    expect(asForm?.end).toBe(Buffer.byteLength('{"count":"1"}'))
    // Without a media type it could be JSON, which it is not. What has a secret is not stored then.
    expect(add(createBodyBlock(), text)).toMatchObject({ start: -1, end: -1 })
  })

  test('are cut where they are long', () => {
    const block = createBodyBlock()
    const [fits, long] = [add(block, 'x'.repeat(most)), add(block, 'x'.repeat(most + 1))]
    if (!fits || !long) throw new Error('there is room')
    expect([fits.cut, long.cut]).toEqual([false, true])
    block.addAnswer(fits, 'y'.repeat(most))
    expect(fits.cut).toBe(false)
    block.addAnswer(fits, 'y'.repeat(most + 1))
    expect(fits.cut).toBe(true)
    block.addAnswer(long, 'y')
    expect(long.cut).toBe(true)
    const part = add(block, 'x')
    if (!part) throw new Error('there is room')
    block.addAnswer(part, 'y', true)
    expect(part.cut).toBe(true)
    const { heads } = packBodies([fits, long])
    expect(heads.map((head) => head?.slice(1, 3))).toEqual([
      [most, most],
      [most, 1],
    ])
  })

  test('have two megabytes, until these are written', () => {
    const block = createBodyBlock()
    const whole = 'x'.repeat(most)
    const added = Array.from({ length: 33 }, () => add(block, whole))
    expect(added.map(Boolean)).toEqual([...Array(32).fill(true), false])
    const [first] = added
    if (!first) throw new Error('there is room')
    expect(block.addAnswer(first, 'y')).toBe(false)
    expect(first.answerStart).toBe(-1)
    // A body that is not stored needs no room.
    expect(add(block, '{"secret":')).toBeDefined()
    block.clear()
    expect(add(block, 'new')).toMatchObject({ start: 0, end: 3 })
    // A text may need three bytes for each of its characters.
    const tight = createBodyBlock()
    for (let count = 0; count < 31; count += 1) add(tight, whole)
    const one = add(tight, '')
    if (!one) throw new Error('there is room')
    expect(tight.addAnswer(one, 'y'.repeat(Math.floor(most / 3) + 1))).toBe(false)
    const third = Math.floor(most / 3)
    expect([tight.hasRoomFor(third), tight.hasRoomFor(third + 1)]).toEqual([true, false])
    expect(tight.addAnswer(one, 'y'.repeat(third))).toBe(true)
  })

  test('have no secret, wherever they are cut', () => {
    const secret = 'a\\"b'
    const text = JSON.stringify({ client_id: 'one', secret, more: { secret }, last: 1 })
    const first = text.indexOf('a\\')
    for (let end = 0; end <= text.length; end += 1) {
      const shown = withoutSecret(text.slice(0, end))
      expect(shown).not.toContain('a\\')
      if (end > first) expect(shown).toContain('"secret":"(masked)"')
    }
    expect(JSON.parse(withoutSecret(text))).toEqual({
      client_id: 'one',
      secret: '(masked)',
      more: { secret: '(masked)' },
      last: 1,
    })
  })
})
