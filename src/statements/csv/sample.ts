import { parse } from 'csv-parse/sync'
import { bare } from './amounts.ts'
import { dateReader } from './dates.ts'
import { parserOptions } from './rows.ts'

/** What the beginning of a file tells of its form. */
export interface Sample {
  separator: ',' | ';' | '\t' | '|'
  quotes: boolean
  skipLines: number
  /** Undefined where the first row of the table is a transaction. */
  header: readonly string[] | undefined
  rows: readonly (readonly string[])[]
  /** Where each of the rows begins. */
  lines: readonly number[]
}

interface Row {
  record: string[]
  info: { lines: number }
}

const separators = [',', ';', '\t', '|'] as const
/** Tables begin at the latest after so many lines, and are judged by so many rows. */
const mostPreamble = 60
const mostRows = 500
const longest = 65_536

/** Finds the table at the beginning of a text; undefined where it holds none. */
export function takeSample(text: string, isWhole: boolean): Sample | undefined {
  const start = text.slice(0, longest)
  // The last line may be cut.
  const isCut = !isWhole || start.length < text.length
  const ended = start.replace(/\r\n?/g, '\n')
  const lines = isCut ? ended.slice(0, endOfRows(ended)) : ended
  const found = separators
    .flatMap((separator) => [true, false].map((quotes) => tableOf(lines, separator, quotes)))
    .filter((table) => table !== undefined)
  // Quotes that cannot be taken apart lose rows.
  return found.sort((a, b) => b.score - a.score)[0]?.sample
}

/** After the last line that ends outside of quotes; after the last one where none of some does. */
function endOfRows(text: string): number {
  const last = text.lastIndexOf('\n') + 1
  let isInside = text.slice(0, last).split('"').length % 2 === 0
  let end = last
  for (let lines = 0; isInside && lines < mostCutLines; lines += 1) {
    const before = text.lastIndexOf('\n', end - 2) + 1
    if (text.slice(before, end).split('"').length % 2 === 0) isInside = false
    end = before
  }
  return isInside || end === 0 ? last : end
}

/** Of one row. */
const mostCutLines = 100

/** The values of a column, counted from 0, without empty ones. */
export const valuesAt = ({ rows }: Pick<Sample, 'rows'>, index: number): string[] =>
  rows.map((row) => row[index] ?? '').filter((value) => value.trim() !== '')

function tableOf(text: string, separator: Sample['separator'], quotes: boolean) {
  const rows = rowsOf(text, separator, quotes)
  const counts = new Map<number, number>()
  for (const { record } of rows) counts.set(record.length, (counts.get(record.length) ?? 0) + 1)
  const [width = 0, regular = 0] =
    [...counts].sort(([a, some], [b, more]) => more * b - some * a)[0] ?? []
  // A single column is no table.
  if (width < 2) return undefined
  const begin = rows.findIndex(({ record }) => record.length >= width - 1 && isFull(record))
  const first = rows[begin]
  if (!first || first.info.lines > mostPreamble) return undefined
  const header = isHeader(first.record) ? first.record : undefined
  const table = rows
    .slice(begin + (header ? 1 : 0))
    .filter(({ record }) => record.length >= width - 1)
    .slice(0, mostRows)
  const sample: Sample = {
    separator,
    quotes,
    skipLines: lineOf(first) - 1,
    header,
    rows: table.map(({ record }) => record),
    lines: table.map(lineOf),
  }
  const penalty = quotes ? 0 : 0.5
  return { sample, score: regular * width - penalty }
}

function rowsOf(text: string, separator: string, quotes: boolean): Row[] {
  const rows: unknown = parse(text, { ...parserOptions({ separator, quotes }), info: true })
  // The types of the parser do not follow `info`.
  return rows as Row[]
}

const lineOf = ({ record, info }: Row): number =>
  info.lines - record.reduce((count, value) => count + value.split('\n').length - 1, 0)

/** A header, or a row, has more than one value; lines of a preamble often have one. */
const isFull = (record: readonly string[]): boolean =>
  record.filter((value) => value.trim() !== '').length >= Math.max(2, record.length / 2)

const isHeader = (record: readonly string[]): boolean =>
  record.every((value) => !/^[\s\d.,:/+-]*\d[\s\d.,:/+-]*$/.test(value))

const forms = [
  ...['YYYY-MM-DD', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYYMMDD'],
  ...['.', '/', '-', ' '].flatMap((mark) =>
    ['YYYY', 'YY'].flatMap((year) => [
      ...[
        ['DD', 'MM'],
        ['MM', 'DD'],
        ['D', 'M'],
        ['M', 'D'],
      ].map((pair) => [...pair, year].join(mark)),
      ...['DD', 'D'].map((day) => [day, 'MMM', year].join(mark)),
    ]),
  ),
  ...['MMM DD, YYYY', 'MMM D, YYYY', 'D. MMM YYYY', 'DDMMYYYY'],
].map((form) => ({ form, read: dateReader(form) }))

/** The forms that all dates of a column have. Forms of one digit count where two do not fit. */
export function dateFormsOf(values: readonly string[]): string[] {
  const dates = values.filter((value) => /\d/.test(value))
  if (dates.length === 0) return []
  const fitting = forms
    .filter(({ read }) => dates.every((date) => isReadable(() => read(date, ''))))
    .map(({ form }) => form)
  return fitting.filter((form) => {
    const strict = form.replace(/\bD\b/, 'DD').replace(/\bM\b/, 'MM')
    return strict === form || !fitting.includes(strict)
  })
}

/** The form that most dates have, and the place of the first one that has another. */
export function findMisfit(values: readonly string[]): { form: string; index: number } | undefined {
  const isDate = (value: string) => /\d/.test(value)
  const found = forms.map(({ form, read }) => {
    const fits = values.map((value) => !isDate(value) || isReadable(() => read(value, '')))
    return { form, index: fits.indexOf(false), count: fits.filter(Boolean).length }
  })
  const dates = values.filter(isDate).length
  const [best] = found.sort((one, other) => other.count - one.count)
  return best && best.count > values.length - dates && best.index >= 0 ? best : undefined
}

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** The marks in amounts; `decimal` is undefined where `1.234` could be either. */
export interface Marks {
  decimal: '.' | ',' | undefined
  thousands: '.' | ',' | ' ' | "'" | undefined
}

export function marksOf(values: readonly string[]): Marks {
  const decimals = new Set<string>()
  const groups = new Set<string>()
  const unclear = new Set<string>()
  for (const value of values) {
    const { digits } = bare(value)
    const marks = [...digits.matchAll(/[^\d]/g)].map(([mark]) => mark)
    const last = marks.at(-1)
    if (last === undefined) continue
    const isGroup = /\D\d{3}$/.test(digits)
    if (marks.length > 1 || !isGroup) {
      if (marks.filter((mark) => mark === last).length > 1) groups.add(last)
      else if (!isGroup || marks.length > 1) decimals.add(last)
      for (const mark of marks.slice(0, -1)) groups.add(mark)
    } else unclear.add(last)
  }
  for (const mark of unclear) {
    if (mark === ' ' || mark === "'" || (decimals.size > 0 && !decimals.has(mark))) groups.add(mark)
  }
  const open = [...unclear].filter((mark) => !groups.has(mark))
  const [decimal, ...others] = [...decimals].filter((mark) => !groups.has(mark))
  const [thousands] = [...groups] as Marks['thousands'][]
  const isOther = thousands === '.' ? ',' : '.'
  // Digits without any mark fit both.
  const byDefault = open.length > 0 ? undefined : isOther
  return {
    decimal: others.length > 0 ? undefined : ((decimal as '.' | ',' | undefined) ?? byDefault),
    thousands,
  }
}
