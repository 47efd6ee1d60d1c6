import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { categoriesSchemaFile } from '../../scripts/generate/categories-schema.ts'
import { readCategories } from '../../src/category-list/read-categories.ts'

const read = (content: string) => readCategories('c.yaml', Buffer.from(content))

/** What is said of a wrong file, line by line. */
function mistakesOf(content: string): string[] {
  try {
    read(content)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

const file = `categories:
  - words: [Orchard Lane, biomarkt]
    category: FOOD_AND_DRINK_GROCERIES
  - words: [grant]
    category: INCOME_OTHER
    direction: in
`

describe('a file of categories', () => {
  test('has entries with words', () => {
    expect(read(file)).toEqual([
      { words: ['Orchard Lane', 'biomarkt'], category: 'FOOD_AND_DRINK_GROCERIES' },
      { words: ['grant'], category: 'INCOME_OTHER', direction: 'in' },
    ])
    expect(read('categories: []')).toEqual([])
  })

  test.each([
    ['c.yaml:1:1: categories is required', 'words: [a]'],
    [
      'c.yaml:3:5: categories[0].category must be a known detailed category; did you mean FOOD_AND_DRINK_GROCERIES?',
      file.replace('GROCERIES', 'GROCERIS'),
    ],
    [
      'c.yaml:2:20: categories[0].words[1] must have a letter or a digit',
      'categories:\n  - words: [ shop, "**" ]\n    category: OTHER_OTHER',
    ],
    ['c.yaml:6:5: categories[1].direction', file.replace('direction: in', 'direction: inward')],
    [
      'c.yaml:4:5: categories[1].category is required',
      file.replace(/ +category: INCOME_OTHER\n/, ''),
    ],
    ['c.yaml:7:5: categories[1].pattern is not a known key', `${file}    pattern: a.*\n`],
    ['c.yaml:1:1: the file must be at most 512 KB', `#${'x'.repeat(512 * 1024)}`],
  ])('%s', (message, content) => {
    expect(mistakesOf(content).join('\n')).toContain(message)
  })
})

test('the schema for editors accepts what is accepted', () => {
  const schema = JSON.parse(readFileSync(categoriesSchemaFile, 'utf8'))
  const check = new Ajv2020({ strict: false }).compile(schema)
  const accepts = (text: string) => check(parse(text))
  expect([file, 'categories: []'].map(accepts)).toEqual([true, true])
  const bad = [file.replace('GROCERIES', 'GROCERIS'), `${file}    pattern: a`, 'categories: {}']
  expect(bad.map(accepts)).toEqual([false, false, false])
})
