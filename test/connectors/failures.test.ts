import { describe, expect, test } from 'vitest'
import { checkConnector } from '../../src/connector/check-connector.ts'
import { issuesOfMessage } from '../../src/connector/check-message.ts'
import { issuesOfStep } from '../../src/connector/check-step.ts'
import { issueOfFailure, SourceFailed, toFailure } from '../../src/connector/failures.ts'
import { hideSecrets, holdsSecret, secretTexts } from '../../src/connector/hide-secrets.ts'

// What the service does with what connectors throw and tell, without a service.

describe('a secret', () => {
  const password = 'correct horse!"9'
  const secrets = secretTexts({ password, token: 'a?b>c?d>e~~' })

  test.each([
    ['as it is', password],
    ['in JSON', JSON.stringify({ password })],
    ['in an address', encodeURIComponent(password)],
    ['in a form', new URLSearchParams({ password }).toString()],
    ['in Base64', btoa(password)],
    ['in Base64 for addresses', Buffer.from('a?b>c?d>e~~').toString('base64url')],
  ])('is hidden %s', (_, text) => {
    expect(hideSecrets(`sent ${text} there`, secrets)).not.toMatch(/correct|Y29ycmVj|YT9i/)
  })

  test.each<[string, unknown, boolean]>([
    ['a text', { login: { with: [`user ${password}`] } }, true],
    ['a name', { [password]: 1 }, true],
    ['another text', { login: 'marlow' }, false],
    ['no text', { seen: 1, last: null }, false],
  ])('is found in %s of a state', (_, state, isFound) => {
    expect(holdsSecret(state, secrets)).toBe(isFound)
  })

  test('may be half a character', () => {
    expect(hideSecrets('the code \ud83d-12345', secretTexts('\ud83d-12345'))).toBe(
      'the code [hidden]',
    )
  })
})

describe('a failure', () => {
  test.each([
    [1500.2, 1501],
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 86_400_000],
    [1e30, 86_400_000],
    ['soon', 0],
  ])('that asks to wait %s ms waits %i', (asked, waits) => {
    expect(new SourceFailed('limit', '', asked as number).waitMs).toBe(waits)
    const copy = Object.assign(new Error(), { name: 'SourceFailed', kind: 'limit', waitMs: asked })
    expect(toFailure(copy)).toMatchObject({ kind: 'limit', waitMs: waits })
  })

  test.each<[object, string | undefined]>([
    [{ name: 'SourceFailed', kind: 'login' }, undefined],
    [{ name: 'AuthorizationFailed', reason: 'denied' }, undefined],
    [{ name: 'TypeError' }, undefined],
    [
      { name: 'SourceFailed', kind: 'broken' },
      '`kind` of SourceFailed must be one of: outage, limit, login, setup',
    ],
    [
      { name: 'AuthorizationFailed', reason: 'toString' },
      '`reason` of AuthorizationFailed must be one of: malformed, rejected, used, denied, foreign_host',
    ],
  ])('%j has a known reason, or is rejected', (fields, issue) => {
    const error = Object.assign(new Error(), fields)
    expect(issueOfFailure(error)).toBe(issue)
    if (issue !== undefined) expect(toFailure(error)).toBeUndefined()
  })
})

test.each([
  ['2027-01-31T00:00:00Z', 0],
  ['2026-13-45T99:99:99Z', 1],
  ['2026-02-30T00:00:00Z', 1],
  ['2026-02-28T24:00:00Z', 1],
])('an authorization that ends at %s has %i mistakes', (expiresAt, count) => {
  expect(issuesOfStep({ kind: 'done', secret: 1, expiresAt }, 's')).toHaveLength(count)
})

test('a text of a page has no control characters', () => {
  const account = { id: 'A\u00001', currency: 'USD' }
  expect(issuesOfMessage({ type: 'account', ref: '1', account })).toEqual([
    'account: `account.id` must be 1 to 512 characters, none of them a control character',
  ])
  const properties = { user: { type: 'string', title: 'User\u202e' } }
  const first = { kind: 'form', schema: { type: 'object', properties, required: [] } }
  const institutions = [{ institution_id: 'a', name: 'Bank\u0000', country_codes: ['US'] }]
  const paths = checkConnector({ first, institutions }).map(({ path }) => path)
  expect(paths).toContain('first.schema.properties.user.title')
  expect(paths).toContain('institutions[0].name')
})
