import type { CsvAmount, CsvMapping } from '../../../generated/statements/types.ts'
import { dateFormsOf, findMisfit, type Marks, marksOf, type Sample, valuesAt } from './sample.ts'
import type { Column, FoundShape } from './shapes.ts'

/** A mapping that was made from a file, and what of it is not sure. */
export interface Draft {
  mapping: CsvMapping
  /** By key of the mapping: what the reader of it has to decide or to check. */
  doubts: ReadonlyMap<string, string>
  /** Of these, what would make reading by it a guess. */
  open: readonly string[]
}

/** Which column is what, as a shape or a guess says it. */
export interface Roles {
  date: Column
  value_date?: Column | undefined
  amount: CsvAmount
  description: Column[]
  counterparty?: Column | undefined
  id?: Column | undefined
  references?: Record<string, Column>
  currency?: CsvMapping['currency']
  account?: CsvMapping['account']
  balance?: Column | undefined
}

/** The roles of a file whose header fits a shape. */
export function rolesOf({ shape, columns, currency }: FoundShape): Roles {
  const at = (name: string | undefined) => (name === undefined ? undefined : columns.get(name))
  const sure = (name: string): Column => columns.get(name) ?? name
  const all = (names: readonly string[]) =>
    names.map(at).filter((column): column is Column => column !== undefined)
  const { amount, account, references = {} } = shape
  const marks = Object.entries(references).flatMap(([name, column]): [string, Column][] => {
    const found = at(column)
    return found === undefined ? [] : [[name, found]]
  })
  const inColumn = at(shape.currency)
  return {
    date: sure(shape.date),
    value_date: at(shape.value_date),
    amount: amountOf(amount, sure),
    description: all(shape.description),
    counterparty: at(shape.counterparty),
    id: at(shape.id),
    ...(marks.length > 0 ? { references: Object.fromEntries(marks) } : {}),
    ...(inColumn === undefined ? {} : { currency: { column: inColumn } }),
    ...(currency === undefined ? {} : { currency: { fixed: currency } }),
    ...(account
      ? {
          account: {
            id: { column: sure(account.id) },
            ...(account.bank_id ? { bank_id: { column: sure(account.bank_id) } } : {}),
          },
        }
      : {}),
    balance: at(shape.balance),
  }
}

function amountOf(
  amount: FoundShape['shape']['amount'],
  sure: (name: string) => Column,
): CsvAmount {
  if (!('column' in amount)) return { in: sure(amount.in), out: sure(amount.out) }
  const column = sure(amount.column)
  if (!('indicator' in amount)) return { column }
  return { column, indicator: { column: sure(amount.indicator), ...amount.texts } }
}

/** Completes roles with what the rows tell: dates, decimal mark, separator. */
export function draftOf(sample: Sample, roles: Roles, given: Given): Draft {
  const doubts = new Map<string, string>()
  const placeOf = (column: Column): number =>
    typeof column === 'number' ? column - 1 : indexOf(sample, column)
  const valuesOf = (column: Column): string[] => valuesAt(sample, placeOf(column))
  const { date, value_date: valueDate, amount, balance, ...others } = roles
  const dates = [date, valueDate].map((column) =>
    column === undefined ? [] : dateFormsOf(valuesOf(column)),
  )
  const shared = dates[0]?.filter((form) => valueDate === undefined || dates[1]?.includes(form))
  const form = (key: 'date' | 'value_date', own: string[] = []): string => {
    // A file writes its dates in one form, so that one column may tell what the other leaves open.
    const possible = own.length > 1 && shared && shared.length > 0 ? shared : own
    if (possible.length > 1)
      doubts.set(key, `UNSURE: the dates fit ${possible.join(' and ')}; choose one.`)
    if (possible.length > 0) return possible[0] ?? ''
    const place = placeOf(roles[key] ?? date)
    const misfit = findMisfit(sample.rows.map((row) => row[place] ?? ''))
    doubts.set(key, unknownForm(sample, misfit))
    return misfit?.form ?? 'YYYY-MM-DD'
  }
  const columns = [amount.column, amount.in, amount.out, balance]
  const marks = marksOf(columns.flatMap((column) => (column === undefined ? [] : valuesOf(column))))
  if (marks.decimal === undefined) doubts.set('decimal', decimalDoubt)
  const forms = {
    date: form('date', dates[0]),
    value_date: valueDate === undefined ? '' : form('value_date', dates[1]),
  }
  const open = [...doubts.values()]
  const currency = given.currency ? { fixed: given.currency } : roles.currency
  const account = given.accountId
    ? { ...roles.account, id: { fixed: given.accountId } }
    : roles.account
  if (!currency) doubts.set('currency', 'The file names no currency: write that of the account.')
  if (!account) doubts.set('account', 'The file names no account: write its number or IBAN.')
  const mapping: CsvMapping = {
    ...formOf(sample, marks),
    date: { column: date, form: forms.date },
    ...(valueDate === undefined
      ? {}
      : { value_date: { column: valueDate, form: forms.value_date } }),
    amount,
    ...withoutAbsent(others),
    ...(currency ? { currency } : {}),
    ...(account ? { account } : {}),
    ...(balance === undefined ? {} : { balance: { column: balance } }),
  }
  return { mapping, doubts, open }
}

/** What the caller says of the file. */
export interface Given {
  currency?: string | undefined
  accountId?: string | undefined
}

const decimalDoubt =
  'UNSURE: whether the mark in the amounts is decimal or for thousands; add `thousands` for that.'

function unknownForm({ lines }: Sample, misfit: ReturnType<typeof findMisfit>): string {
  const where =
    misfit && `: line ${lines[misfit.index]} does not fit ${misfit.form}, which others fit`
  return `UNSURE: the form of these dates is not known${where ?? ''}; write it with YYYY, MM and DD.`
}

const formOf = (sample: Sample, { decimal = '.', thousands }: Marks) => ({
  separator: sample.separator,
  ...(sample.quotes ? {} : { quotes: false }),
  decimal,
  ...(thousands && thousands !== decimal ? { thousands } : {}),
  ...(sample.skipLines > 0 ? { skip_lines: sample.skipLines } : {}),
  ...(sample.header ? {} : { header: false }),
})

/** The place of a column by its name. */
export function indexOf({ header = [] }: Sample, name: string): number {
  const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase()
  return header.findIndex((each) => plain(each) === plain(name))
}

const withoutAbsent = <Value extends object>(values: Value) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }
