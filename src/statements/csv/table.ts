import type { CsvMapping } from '../../../generated/statements/types.ts'
import { NoStatement } from '../statement.ts'
import { type Draft, indexOf } from './draft.ts'
import type { Sample } from './sample.ts'
import type { Column } from './shapes.ts'

/** The beginning of a CSV file, for who says which column is what. Columns are numbered from 1. */
export interface CsvTable {
  /** Empty where the file names no columns. */
  header: readonly string[]
  /** The first rows. Long values are cut. */
  rows: readonly (readonly string[])[]
  /** What the table itself tells: where it begins, and how its values are divided. */
  form: Pick<CsvMapping, 'separator' | 'quotes' | 'skip_lines' | 'header' | 'thousands'>
  /** What the columns may be. */
  guess: ColumnGuess
}

export interface ColumnGuess {
  date?: number
  dateForm?: string
  amount?: number
  in?: number
  out?: number
  decimal?: '.' | ','
  description: readonly number[]
  counterparty?: number
  balance?: number
  currency?: number
  account?: number
}

/** A table whose columns nobody can tell for sure. */
export class UnknownTable extends NoStatement {
  readonly table: CsvTable | undefined
  /** Whether there are only the names of columns. */
  readonly isEmpty: boolean
  constructor(message: string, sample: Sample | undefined, draft?: Draft) {
    super(message)
    this.table = sample && tableOf(sample, draft)
    this.isEmpty = sample?.rows.length === 0 && (sample.header ?? []).length >= fewestColumns
  }
}

const mostRows = 5
const mostColumns = 60
const longestValue = 80
/** A letter with a comma in each line is no table. */
const fewestColumns = 3

/** The table of a sample; undefined where it is none that a person could map. */
function tableOf(sample: Sample, draft?: Draft): CsvTable | undefined {
  const { separator, quotes, skipLines, header = [], rows } = sample
  const width = Math.max(header.length, ...rows.map((row) => row.length))
  if (rows.length === 0 || width > mostColumns) return undefined
  if (!draft && width < fewestColumns) return undefined
  const cut = (row: readonly string[]) => row.map((value) => value.trim().slice(0, longestValue))
  const { thousands } = draft?.mapping ?? {}
  return {
    header: cut(header),
    rows: rows.slice(0, mostRows).map(cut),
    form: {
      separator,
      ...(quotes ? {} : { quotes: false }),
      ...(skipLines > 0 ? { skip_lines: skipLines } : {}),
      ...(header.length > 0 ? {} : { header: false }),
      ...(thousands === undefined ? {} : { thousands }),
    },
    guess: draft ? guessOf(sample, draft) : { description: [] },
  }
}

/** What is not sure is left for the person. */
function guessOf(sample: Sample, { mapping, doubts }: Draft): ColumnGuess {
  const place = (column: Column | undefined): number | undefined => {
    if (typeof column !== 'string') return column
    const index = indexOf(sample, column)
    return index < 0 ? undefined : index + 1
  }
  const { date, amount, description, counterparty, balance, currency, account, decimal } = mapping
  const found = {
    date: place(date.column),
    dateForm: doubts.has('date') ? undefined : date.form,
    amount: amount.indicator ? undefined : place(amount.column),
    in: place(amount.in),
    out: place(amount.out),
    decimal: doubts.has('decimal') ? undefined : decimal,
    counterparty: place(counterparty),
    balance: place(balance?.column),
    currency: place(currency?.column),
    account: place(account?.id.column),
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(known),
    description: description.flatMap((column) => place(column) ?? []),
  }
}
