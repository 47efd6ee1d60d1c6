import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { proseMistakes } from '../../scripts/lint/prose/main.ts'
import { proseOf, textsOfContract } from '../../scripts/lint/prose/texts.ts'

const markdown = (text: string) =>
  proseMistakes([{ file: 'some.md', line: 1, text, sameLines: true }])
const contract = (source: string) => proseMistakes(textsOfContract('some.yaml', source))
const words = (count: number) => `${'word '.repeat(count).trim()}.`

describe('words', () => {
  test('reports a word to avoid, with its line and what to write', async () => {
    expect(await markdown('# Title\n\nThe request\nis refused.')).toEqual([
      'some.md:4: "refused": write "reject" or "fail with"',
    ])
  })

  test('finds a phrase that goes on in the next line', async () => {
    expect(await markdown('The control\nsurface.')).toEqual([
      'some.md:1: "control surface": write "sandbox API"',
    ])
  })

  test('leaves code, addresses and parts of names alone', async () => {
    const text = 'See `refused`, [this](../refused/) and worldwide.\n\n```sh\nrefused\n```\n'
    expect(await markdown(text)).toEqual([])
  })

  test('asks for American spelling', async () => {
    expect(await markdown('The behaviour.')).toEqual([
      'some.md:1: "behaviour": write the American spelling',
    ])
  })
})

describe('sentences', () => {
  test('take 25 words and no more', async () => {
    expect(await markdown(words(25))).toEqual([])
    expect(await markdown(words(26))).toEqual([
      'some.md:1: a sentence of 26 words, at most 25: split it',
    ])
  })

  test('count a code span as one word, and go on over lines', async () => {
    expect(await markdown(`\`a b c d\` ${words(24)}`)).toEqual([])
    expect(await markdown(`word\nword ${words(24)}`)).toHaveLength(1)
  })

  test('are found in cells of tables', async () => {
    expect(await markdown(`| a | b |\n|---|---|\n| c | ${words(26)} |`)).toHaveLength(1)
  })
})

describe('the contract', () => {
  test('is read at its texts, not at its values', async () => {
    expect(await contract('type: object\nsummary: It is refused.\nconst: refused')).toEqual([
      'some.yaml:2: "refused": write "reject" or "fail with"',
    ])
  })

  test('names the line of a block', async () => {
    expect(await contract('description: |\n  Fine.\n\n  A verb.')).toEqual([
      'some.yaml:4: "verb": write "sandbox endpoint"',
    ])
  })
})

test('README, guides and the contract are among the texts', () => {
  const files = proseOf(root).map(({ file }) => file)
  expect(files).toContain('README.md')
  expect(files).toContain('src/docs/guides/01-quick-start.md')
  expect(files).toContain('openapi/introduction.md')
  expect(files).toContain('openapi/paths/items/accountsGet.yaml')
})
