import type { CsvCondition, CsvMapping } from '../../../generated/statements/types.ts'
import type { SourceAccount, SourceTransaction } from '../statement.ts'
import { InvalidValue, negate, plainText, withValues } from '../values.ts'
import { amountReader } from './amounts.ts'
import type { Columns } from './columns.ts'
import { dateReader } from './dates.ts'

type Source = NonNullable<CsvMapping['currency']>
type Values = readonly string[]

/** ISO 4217 for no currency: the file does not name one. */
export const unknownCurrency = 'XXX'
export const unknownAccount = 'unknown'

/** Exports write it before a text that a spreadsheet would take as a formula. */
const guard = /^'(?='*[=+\-@\t\r])/

/** Whether a row fulfils a condition of the mapping. */
export function isTrue(
  { column, equals }: CsvCondition,
  columns: Columns,
  values: Values,
): boolean {
  const text = columns.text(values, column).toLowerCase()
  return equals.some((each) => each.trim().toLowerCase() === text)
}

/** Reads what rows say of their account and their transaction. */
export function rowParser(mapping: CsvMapping, columns: Columns) {
  const { decimal = '.', thousands, amount: form, date, value_date: valueDate } = mapping
  const toAmount = amountReader({ decimal, thousands })
  const toDate = dateReader(date.form)
  const toValueDate = valueDate && dateReader(valueDate.form)

  const sourceOf = (source: Source | undefined, values: Values): string | undefined => {
    if (source === undefined) return undefined
    return source.column === undefined ? source.fixed : columns.text(values, source.column)
  }
  const amountAt = (values: Values, column: string | number): string | undefined => {
    const text = columns.text(values, column)
    return text === '' ? undefined : toAmount(text, columns.name(column))
  }
  const required = (values: Values, column: string | number): string => {
    const amount = amountAt(values, column)
    if (amount !== undefined) return amount
    throw new InvalidValue('MISSING_VALUE', `${columns.name(column)}, the amount, is empty`)
  }
  const amountOf = (values: Values): string => {
    if (form.column === undefined) return ofTwo(values, form.in, form.out)
    const amount = required(values, form.column)
    const indicator = form.indicator
    if (!indicator) return form.inverted ? negate(amount) : amount
    const [isIn, isOut] = [indicator.in, indicator.out].map((equals) =>
      isTrue({ column: indicator.column, equals }, columns, values),
    )
    if (isIn === isOut) {
      const known = [...indicator.in, ...indicator.out].join(', ')
      const name = columns.name(indicator.column)
      throw new InvalidValue('INVALID_VALUE', `${name} must be one of: ${known}`)
    }
    return isOut !== (form.inverted ?? false) ? negate(amount) : amount
  }
  const ofTwo = (values: Values, into: string | number, out = into): string => {
    const [moreIn, moreOut] = [amountAt(values, into), amountAt(values, out)]
    const given = [moreIn, moreOut].filter((amount) => amount !== undefined && amount !== '0.00')
    const names = `${columns.name(into)} and ${columns.name(out)}`
    if (given.length > 1) {
      throw new InvalidValue('INVALID_VALUE', `${names} have both an amount, and one is expected`)
    }
    if (moreIn === undefined && moreOut === undefined) {
      throw new InvalidValue('MISSING_VALUE', `${names} are empty, and one amount is expected`)
    }
    if (moreIn?.startsWith('-')) {
      throw new InvalidValue('INVALID_AMOUNT', `${columns.name(into)} must not be negative`)
    }
    // Some banks write the minus sign there too.
    if (moreOut !== undefined && moreOut !== '0.00') return `-${moreOut.replace('-', '')}`
    return moreIn ?? moreOut ?? '0.00'
  }

  return {
    account(values: Values): SourceAccount {
      const { account } = mapping
      const currency = sourceOf(mapping.currency, values)
      if (currency === '') throw new InvalidValue('MISSING_VALUE', 'the currency is empty')
      const id = sourceOf(account?.id, values)
      if (id === '') throw new InvalidValue('MISSING_VALUE', 'the account is empty')
      const number = id?.replace(/^'/, '')
      const iban = number?.replace(/\s/g, '').toUpperCase()
      return {
        id: number ?? unknownAccount,
        ...withValues({
          iban: iban && /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) ? iban : undefined,
          bank_id: sourceOf(account?.bank_id, values)?.replace(/^'/, ''),
          type: sourceOf(account?.type, values),
          subtype: sourceOf(account?.subtype, values),
        }),
        currency: currency ?? unknownCurrency,
      }
    },
    transaction(values: Values, currency: string): SourceTransaction {
      const textOf = (column: string | number | undefined) =>
        column === undefined
          ? undefined
          : plainText(columns.text(values, column).replace(guard, ''))
      const references = Object.entries(mapping.references ?? {}).map(([name, column]) => [
        name,
        textOf(column),
      ])
      const found = withValues(Object.fromEntries(references))
      const isPending = mapping.pending !== undefined && isTrue(mapping.pending, columns, values)
      const written = valueDate && columns.text(values, valueDate.column)
      return {
        ...withValues({ id: textOf(mapping.id) }),
        status: isPending ? 'pending' : 'posted',
        amount: amountOf(values),
        currency,
        date: toDate(columns.text(values, date.column), columns.name(date.column)),
        ...(valueDate && toValueDate && written
          ? { value_date: toValueDate(written, columns.name(valueDate.column)) }
          : {}),
        description: plainText(...mapping.description.map(textOf)),
        ...withValues({ counterparty: textOf(mapping.counterparty) }),
        ...(found ? { references: found } : {}),
      }
    },
    balance(values: Values): string | undefined {
      const balance = mapping.balance && amountAt(values, mapping.balance.column)
      return balance !== undefined && mapping.balance?.inverted ? negate(balance) : balance
    },
  }
}
