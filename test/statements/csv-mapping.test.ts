import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { mappingSchemaFile } from '../../scripts/generate/mapping-schema.ts'
import { shapes } from '../../src/statements/csv/built-in.ts'
import { chooseMapping, MappingNeeded } from '../../src/statements/csv/choose.ts'
import { readMapping } from '../../src/statements/csv/read-mapping.ts'
import { takeSample } from '../../src/statements/csv/sample.ts'
import { fittingShapes } from '../../src/statements/csv/shapes.ts'
import { exportedFiles } from '../support/csv-exports.ts'
import { csvDialects } from '../support/csv-files.ts'
import { issuesOf, readBytes, readOrRefuse, transactionsOf } from '../support/read-bytes.ts'

/** What is said of a wrong mapping, line by line. */
function mistakesOf(text: string): string[] {
  try {
    readMapping('m.yaml', text)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

const rest = 'amount: { column: Amount }\ndescription: [Text]\n'

describe('a mapping', () => {
  test.each<[string, string, string[]]>([
    [
      'lacks what it needs',
      'separator: ","',
      [
        'm.yaml:1:1: date is required',
        'm.yaml:1:1: amount is required',
        'm.yaml:1:1: description is required',
      ],
    ],
    [
      'has an unknown key',
      `date: { column: D, form: DD.MM.YY }\n${rest}colour: 1\nseparater: ";"`,
      [
        'm.yaml:4:1: colour is not a known key',
        'm.yaml:5:1: separater is not a known key; did you mean separator?',
      ],
    ],
    [
      'has a form without a day',
      `date:\n  column: D\n  form: YYYY-MM-MM\n${rest}`,
      ['m.yaml:3:3: date.form must have a year, a month and a day once each, such as DD.MM.YYYY'],
    ],
    [
      'names columns without a header',
      `header: false\ndate: { column: 1, form: DD.MM.YY }\n${rest}`,
      [
        'm.yaml:3:11: amount.column must be a number, since `header` is false and no column has a name',
        'm.yaml:4:15: description[0] must be a number, since `header` is false and no column has a name',
      ],
    ],
    [
      'has one mark for two things',
      `decimal: ","\nthousands: ","\ndate: { column: 1, form: DD.MM.YY }\n${rest}`,
      ['m.yaml:2:1: thousands must be another character than `decimal`'],
    ],
    ['is no YAML', 'date: [', [expect.stringMatching(/^m.yaml:1:\d+: /) as unknown as string]],
  ])('that %s is told by line', (_, text, expected) => {
    expect(mistakesOf(text)).toEqual(expected)
  })

  test('has a schema for editors, which accepts what we accept', () => {
    const check = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync(mappingSchemaFile, 'utf8')),
    )
    for (const { options } of csvDialects) expect(check(options.mapping)).toBe(true)
    expect(check({ ...csvDialects[0]?.options.mapping, colour: 1 })).toBe(false)
  })
})

describe('built-in mappings', () => {
  test('are about a dozen, each with a file that it reads', () => {
    expect(exportedFiles.map(({ shape }) => shape).sort()).toEqual(
      shapes.map(({ name }) => name).sort(),
    )
  })

  test.each(exportedFiles)('$shape', async ({ shape, text, told }) => {
    const { header } = takeSample(text, true)!
    expect(fittingShapes(header!).map((found) => found.shape.name)).toEqual([shape])
    const { events, format } = await readBytes(text)
    expect(format).toBe('csv')
    expect(issuesOf(events).filter(({ code }) => !code.startsWith('UNKNOWN_'))).toEqual([])
    expect(transactionsOf(events).map(({ date, amount }) => `${date} ${amount}`)).toEqual(told)
  })
})

describe('without a mapping', () => {
  test('a row in quotes is whole wherever the first 65,536 bytes end', async () => {
    const line = (index: number) => `2026-01-31,a${index},1.00\r\n`
    const before = Array.from({ length: 2890 }, (_, index) => line(index)).join('')
    const quoted = '2026-01-31,"ab,\r\n""q"" z",1.00\r\n'
    for (let inside = 0; inside <= quoted.length; inside += 1) {
      const start = `Date,Description,Amount\r\n${before}`
      const pad = 65_536 - inside - start.length - '2026-01-31,,1.00\r\n'.length
      const text = `${start}2026-01-31,${'p'.repeat(pad)},1.00\r\n${quoted}${line(1)}`
      const { events } = await readBytes(text)
      expect(transactionsOf(events)).toHaveLength(2893)
      expect(transactionsOf(events).at(-2)?.description).toBe('ab, "q" z')
    }
  })

  const needed = (text: string): MappingNeeded => {
    try {
      chooseMapping(text, true, {})
    } catch (error) {
      if (error instanceof MappingNeeded) return error
      throw error
    }
    throw new Error('a mapping was chosen')
  }

  test.each([
    [
      'a day or a month first',
      'Date,Description,Amount\n03/04/2026,a,1.50\n',
      /DD\/MM\/YYYY and MM\/DD\/YYYY/,
    ],
    [
      'a thousand or one',
      'Date,Description,Amount\n2026-01-04,a,"1,234"\n',
      /decimal or for thousands/,
    ],
    [
      'an unknown date',
      'Date,Description,Amount\n26w01,a,1.50\n',
      /form of these dates is not known;/,
    ],
    [
      'a date that does not exist',
      'Date,Description,Amount\n2026-01-31,"a\nb",1.50\n2026-02-29,a,1.50\n2026-03-01,a,1.50\n',
      /line 4 does not fit YYYY-MM-DD/,
    ],
  ])('asks: %s', (_, text, told) => {
    const { message, proposal } = needed(text)
    expect(message).toMatch(told)
    expect(proposal).toMatch(/# UNSURE/)
  })

  test('one row decides what the others leave open', async () => {
    const text = 'Date,Description,Amount\n03/04/2026,a,"1,234"\n13/04/2026,a,1.50\n'
    const { events } = await readBytes(text)
    expect(transactionsOf(events).map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-04-03', '1234.00'],
      ['2026-04-13', '1.50'],
    ])
  })

  test('says currency and account on request', async () => {
    const text = 'Date,Description,Amount\n2026-01-04,a,1.50\n'
    const { events } = await readBytes(text, { given: { currency: 'EUR', accountId: '7' } })
    expect(events[0]).toEqual({ kind: 'statement', account: { id: '7', currency: 'EUR' } })
    expect(issuesOf(events)).toEqual([])
  })

  test.each([
    'Date,Description,Amount,Date\n2026-01-04,a,1.50,2026-02-05\n',
    'Date,Description,Amount,Amount\n2026-01-04,a,1.50,2.50\n',
  ])('a header row with two dates or amounts fits no built-in mapping', (text) => {
    expect(needed(text).message).toMatch(/no built-in mapping fits/)
  })

  test('an unknown header row makes a proposal, by which the file can be read', async () => {
    const text =
      'Kontoauszug\n\nTag;Zweck;Bewegung;Kontostand\n31.01.2026;Tee;-1.201,20;5,00\n30.01.2026;Milch;-2,20;1.206,20\n'
    const { proposal, message } = needed(text)
    expect(message).toMatch(/no built-in mapping fits/)
    expect(proposal).toContain('# Guessed: is it this column?\ndate:')
    expect(parse(proposal)).toEqual({
      separator: ';',
      decimal: ',',
      thousands: '.',
      skip_lines: 2,
      date: { column: 'Tag', form: 'DD.MM.YYYY' },
      amount: { column: 'Bewegung' },
      description: ['Zweck'],
      balance: { column: 'Kontostand' },
      currency: { fixed: 'XXX' },
      account: { id: { fixed: 'unknown' } },
    })
    const { events } = await readBytes(text, { mapping: readMapping('m.yaml', proposal) })
    expect(issuesOf(events)).toEqual([])
    expect(transactionsOf(events)).toHaveLength(2)
  })

  test('a file without a header is numbered', () => {
    expect(
      parse(needed('2026-01-04,Tea,EUR,-1.50\n2026-01-05,Milk,EUR,-2.50\n').proposal),
    ).toMatchObject({
      header: false,
      date: { column: 1 },
      amount: { column: 4 },
      description: [2],
      currency: { column: 3 },
    })
  })

  test.each([
    ['prose', 'Dear all,\nthank you, and goodbye,\nyours'],
    ['numbers without dates', 'a,b\n1,2\n3,4\n'],
    ['one column', 'Date\n2026-01-01\n'],
  ])('%s is no statement', async (_, text) => {
    expect(await readOrRefuse(Buffer.from(text))).toMatch(/no CSV with dates and amounts/)
  })
})
