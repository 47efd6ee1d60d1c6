import { describe, expect, test } from 'vitest'
import { listOfText, toJson, withLists } from '../../src/server/kernel/list-text.ts'

const answer = { before: 1, list: listOfText<object>('{"a":"ü\\""},{"b":null}'), after: 'x' }

describe('lists that are JSON', () => {
  test('are sent as they are, in their place', () => {
    const text = '{"before":1,"list":[{"a":"ü\\""},{"b":null}],"after":"x"}'
    expect(toJson({ ...answer, left: undefined })).toBe(text)
  })

  test('can be empty', () => {
    expect(toJson({ list: listOfText('') })).toBe('{"list":[]}')
  })

  test('are parsed when the response is inspected', () => {
    expect(withLists(answer)).toEqual(JSON.parse(toJson(answer)))
  })

  test('leave other answers alone', () => {
    const plain = { list: [1], nothing: null }
    expect(withLists(plain)).toBe(plain)
    expect(toJson(plain)).toBe('{"list":[1],"nothing":null}')
  })
})
