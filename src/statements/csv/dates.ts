import { century } from '../mt940-line.ts'
import { InvalidValue, toDate } from '../values.ts'

type Reader = (text: string, name: string) => string

/** What each part of a form matches; the order matters, as `MM` begins with `M`. */
const parts: readonly (readonly [token: string, pattern: string])[] = [
  ['YYYY', '(?<year>\\d{4})'],
  ['YY', '(?<short>\\d{2})'],
  ['MMM', '(?<name>\\p{L}{3,12})\\.?'],
  ['MM', '(?<month>\\d{2})'],
  ['M', '(?<month>\\d{1,2})'],
  ['DD', '(?<day>\\d{2})'],
  ['D', '(?<day>\\d{1,2})'],
]

/** A time of day, which is not read. */
const time = '(?:[T ,]+\\d{1,2}:\\d{2}.*)?'

/** The expression of a form such as `DD.MM.YYYY`; undefined where the form lacks a part or has one twice. */
function expressionOf(form: string): RegExp | undefined {
  const tokens = [...form.matchAll(/[YMD]+|[^YMD]+/g)].map(([token]) => token)
  const patterns = tokens.map((token) => {
    if (!/[YMD]/.test(token)) return token.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    return splitToken(token)
  })
  const kinds = form.replace(/(.)\1*/g, '$1').replace(/[^YMD]/g, '')
  if (patterns.includes(undefined) || [...kinds].sort().join('') !== 'DMY') return undefined
  return new RegExp(`^\\s*${patterns.join('')}${time}\\s*$`, 'u')
}

/** A run of letters, such as `YYYYMMDD`, as patterns. */
function splitToken(token: string): string | undefined {
  const patterns = [...token.matchAll(/Y+|M+|D+/g)].map(
    ([run]) => parts.find(([name]) => name === run)?.[1],
  )
  return patterns.includes(undefined) ? undefined : patterns.join('')
}

export const isDateForm = (form: string): boolean => expressionOf(form) !== undefined

const languages = ['en', 'en-GB', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv']

const namesOf = (language: string, length: 'short' | 'long'): [name: string, month: string][] => {
  const format = new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => [
    format
      .format(Date.UTC(2026, month, 1))
      .toLowerCase()
      .replace('.', ''),
    String(month + 1).padStart(2, '0'),
  ])
}

let months: ReadonlyMap<string, string> | undefined

/** The number of a month by its short or its long name; the names are made when the first is met. */
function monthOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  months ??= new Map(
    languages.flatMap((language) => [...namesOf(language, 'short'), ...namesOf(language, 'long')]),
  )
  return months.get(name.toLowerCase())
}

/** Reads dates of one form, as they are written. */
export function dateReader(form: string): Reader {
  const expression = expressionOf(form)
  if (!expression) throw new Error(`${form} is no form of a date`)
  return (text, name) => {
    const found = expression.exec(text)?.groups
    const month = found?.['month'] ?? monthOf(found?.['name'])
    const day = found?.['day']
    if (!found || month === undefined || day === undefined) {
      throw new InvalidValue('INVALID_DATE', `${name} must have the form ${form}`)
    }
    const year = found['year'] ?? century(found['short'] ?? '')
    return toDate(year, month.padStart(2, '0'), day.padStart(2, '0'), name)
  }
}
