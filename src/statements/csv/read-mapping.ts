import type { CsvMapping } from '../../../generated/statements/types.ts'
import { CsvMapping as schema } from '../../../generated/statements/validators/mapping.js'
import { type Problem, toLines } from '../../yaml/problems.ts'
import { readChecked } from '../../yaml/read-checked.ts'
import { isDateForm } from './dates.ts'

/** A mapping that cannot be used: a line for each mistake, with file, line and column. */
export class MappingError extends Error {
  override readonly name = 'MappingError'
}

/** Reads a mapping from YAML. @throws MappingError with every mistake */
export function readMapping(name: string, text: string): CsvMapping {
  const checked = readChecked(name, text, schema)
  if (!checked.value) throw toError(checked.problems)
  const { value, at } = checked
  const problems = findingsOf(value).map(([path, message]) => at(path, message))
  if (problems.length > 0) throw toError(problems)
  return value
}

const toError = (problems: readonly Problem[]): MappingError =>
  new MappingError(toLines(problems).join('\n'))

/** What the schema cannot say. */
function findingsOf(mapping: CsvMapping): [path: string, message: string][] {
  const { decimal = '.', thousands, header = true, amount } = mapping
  const badForms = (['date', 'value_date'] as const).filter(
    (name) => mapping[name] && !isDateForm(mapping[name].form),
  )
  const named = header ? [] : columnsOf(mapping).filter(([, column]) => typeof column === 'string')
  return [
    ...badForms.map((name): [string, string] => [
      `${name}.form`,
      'must have a year, a month and a day once each, such as DD.MM.YYYY',
    ]),
    ...named.map(([path]): [string, string] => [
      path,
      'must be a number, since `header` is false and no column has a name',
    ]),
    ...(thousands === decimal
      ? [['thousands', 'must be another character than `decimal`'] as [string, string]]
      : []),
    ...(amount.inverted && amount.in !== undefined
      ? [['amount.inverted', 'must be left out beside `in` and `out`'] as [string, string]]
      : []),
  ]
}

/** Every column that a mapping names, with the path to it. */
export function columnsOf(mapping: CsvMapping): [path: string, column: string | number][] {
  const found: [string, string | number][] = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const below = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
      if (key === 'column') found.push([below, member])
      else visit(member, below)
    }
  }
  const { amount, description, counterparty, id, references = {}, ...others } = mapping
  for (const [key, value] of Object.entries(others)) visit(value, key)
  for (const key of ['column', 'in', 'out'] as const) {
    const column = amount[key]
    if (column !== undefined) found.push([`amount.${key}`, column])
  }
  if (amount.indicator) found.push(['amount.indicator.column', amount.indicator.column])
  found.push(
    ...description.map((column, index): [string, string | number] => [
      `description[${index}]`,
      column,
    ]),
  )
  for (const [path, column] of Object.entries({ counterparty, id })) {
    if (column !== undefined) found.push([path, column])
  }
  for (const [name, column] of Object.entries(references))
    found.push([`references.${name}`, column])
  return found.map(([path, column]) => [path.replace(/^\./, ''), column])
}
