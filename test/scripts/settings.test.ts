import { expect, test } from 'vitest'
import { list, mapOf, object, oneOf, text, truth } from '../../scripts/contract/forms.ts'
import { settings } from '../../scripts/contract/settings.ts'
import { settingsMistakes } from '../../scripts/contract/settings-mistakes.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'

const form = object(
  { name: text, kinds: list(oneOf(['a', 'b'])), parts: mapOf(object({ on: truth }, ['on'])) },
  ['name'],
)

test('the samples of the docs have the credentials of a fresh sandbox', () => {
  const { client_id: clientId, secret } = settings.credentials
  expect(wellKnownClients).toContainEqual({ clientId, secret })
})

test('our settings name what the contract has', () => {
  expect(settingsMistakes()).toEqual([])
})

test('a value of the form has no mistakes', () => {
  expect(form({ name: 'x', kinds: ['b'], parts: { one: { on: false } } })).toEqual([])
})

test.each([
  [[], [], 'the file must be an object'],
  [{ kinds: [] }, [], '`name` is missing'],
  [{ name: '' }, ['name'], '`name` must be a text'],
  [{ name: 'x', kinds: 'a' }, ['kinds'], '`kinds` must be a list'],
  [{ name: 'x', kinds: ['a', 'c'] }, ['kinds', 1], '`kinds.1` must be one of a, b'],
  [{ name: 'x', parts: ['a'] }, ['parts'], '`parts` must be an object'],
  [{ name: 'x', parts: { a: {} } }, ['parts', 'a'], '`parts.a.on` is missing'],
  [
    { name: 'x', parts: { a: { on: 1 } } },
    ['parts', 'a', 'on'],
    '`parts.a.on` must be true or false',
  ],
  [{ name: 'x', size: 1 }, ['size'], '`size` is unknown; known are name, kinds, parts'],
])('%j has one mistake, told with its place', (value, way, words) => {
  expect(form(value)).toEqual([{ way, words }])
})
