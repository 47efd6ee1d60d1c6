import { describe, expect, test } from 'vitest'
import { columnsOf, dateFormsFor, toMapping } from '../../src/server/sources/column-answers.ts'
import type { CsvTable } from '../../src/statements/csv/table.ts'

// What a person answers about the columns of a file.

const table = (guess: Partial<CsvTable['guess']> = {}): CsvTable => ({
  header: ['Day', 'Text'],
  rows: [['2026-01-05', 'Mill', '1.50', '']],
  form: { separator: ';', quotes: true, skip_lines: 0, header: true, thousands: ',' },
  guess: { description: [2], ...guess },
})

/** Answers that make a mapping. */
const whole = { date: '1', form: 'YYYY-MM-DD', amount: '3', decimal: '.', 'text-2': 'on' }

const wrongOf = (fields: Readonly<Record<string, string>>) => {
  const answer = toMapping(table(), fields)
  return 'wrong' in answer ? answer.wrong : []
}

describe('the ways to write a date', () => {
  const usual = dateFormsFor(table())

  test('are the usual ones where the file tells none, or one of them', () => {
    expect(usual.slice(0, 2)).toEqual(['YYYY-MM-DD', 'DD.MM.YYYY'])
    expect(new Set(usual).size).toBe(usual.length)
    expect(dateFormsFor(table({ dateForm: 'DD/MM/YY' }))).toEqual(usual)
  })

  test('begin with that of the file where it is another one', () => {
    expect(dateFormsFor(table({ dateForm: 'YYYY.MM.DD' }))).toEqual(['YYYY.MM.DD', ...usual])
  })
})

test('columns are counted in the longest row', () => {
  expect(columnsOf(table())).toEqual([1, 2, 3, 4])
})

describe('answers about columns', () => {
  test('make a mapping', () => {
    expect(toMapping(table(), whole)).toEqual({
      mapping: expect.objectContaining({
        separator: ';',
        decimal: '.',
        thousands: ',',
        date: { column: 1, form: 'YYYY-MM-DD' },
        amount: { column: 3 },
        description: [2],
      }),
    })
  })

  test.each([
    ['amount', { inverted: 'on' }, { column: 3, inverted: true }],
    ['amount', { amount: '', in: '3', out: '4' }, { in: 3, out: 4 }],
    ['decimal', { decimal: ',' }, ','],
    ['thousands', { decimal: ',' }, '.'],
    ['counterparty', { counterparty: '2' }, 2],
    ['currency', { currency: '4' }, { column: 4 }],
    ['account', { account: '4' }, { id: { column: 4 } }],
    ['balance', { balance: '4' }, { column: 4 }],
  ])('make %s of %o', (name, fields, expected) => {
    expect(toMapping(table(), { ...whole, ...fields })).toMatchObject({
      mapping: { [name]: expected },
    })
  })

  test.each([
    [{ date: '' }, ['date', 'noDate']],
    [{ date: '5' }, ['date', 'noDate']],
    [{ form: 'as usual' }, ['form', 'noForm']],
    [{ amount: '' }, ['amount', 'noAmount']],
    [{ in: '3' }, ['amount', 'twoAmounts']],
    [{ out: '3' }, ['amount', 'twoAmounts']],
    [{ amount: '', in: '3' }, ['out', 'noOut']],
    [{ amount: '', out: '3' }, ['amount', 'noAmount']],
    [{ amount: '', in: '3', out: '3' }, ['out', 'twice']],
    [{ decimal: ';' }, ['decimal', 'noDecimal']],
  ])('are wrong with %o', (fields, expected) => {
    expect(wrongOf({ ...whole, ...fields })).toEqual([expected])
  })

  test('are all told that are wrong', () => {
    expect(wrongOf({})).toEqual([
      ['date', 'noDate'],
      ['form', 'noForm'],
      ['amount', 'noAmount'],
      ['decimal', 'noDecimal'],
      ['text-1', 'noText'],
    ])
  })
})
