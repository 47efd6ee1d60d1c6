import { describe, expect, test } from 'vitest'
import { listOfTexts, toJson, withLists } from '../../src/server/json-texts.ts'

const answer = { before: 1, list: listOfTexts<object>(['{"a":"ü\\""}', '{"b":null}']), after: 'x' }

describe('lists of JSON texts', () => {
  test('are sent as they are, in their place', () => {
    const text = '{"before":1,"list":[{"a":"ü\\""},{"b":null}],"after":"x"}'
    expect(toJson({ ...answer, left: undefined })).toBe(text)
  })

  test('can be empty', () => {
    expect(toJson({ list: listOfTexts([]) })).toBe('{"list":[]}')
  })

  test('are read for whoever looks into the answer', () => {
    expect(withLists(answer)).toEqual(JSON.parse(toJson(answer)))
  })

  test('leave other answers alone', () => {
    const plain = { list: [1], nothing: null }
    expect(withLists(plain)).toBe(plain)
    expect(toJson(plain)).toBe('{"list":[1],"nothing":null}')
  })
})
