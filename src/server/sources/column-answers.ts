import type { CsvMapping } from '../../../generated/statements/types.ts'
import { MappingError, readMapping } from '../../statements/csv/read-mapping.ts'
import type { CsvTable } from '../../statements/csv/table.ts'

/** The ways to write a date that a person can choose, beside the one that the file seems to have. */
const usualForms = [
  ...['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY', 'MM-DD-YYYY'],
  ...['YYYY/MM/DD', 'YYYYMMDD', 'D.M.YYYY', 'D/M/YYYY', 'M/D/YYYY', 'DD.MM.YY', 'DD/MM/YY'],
  ...['MM/DD/YY', 'DD MMM YYYY', 'MMM D, YYYY'],
] as const

export function dateFormsFor({ guess: { dateForm } }: CsvTable): readonly string[] {
  const isUsual = dateForm === undefined || (usualForms as readonly string[]).includes(dateForm)
  return isUsual ? usualForms : [dateForm, ...usualForms]
}

/** The numbers of its columns, from 1. */
export function columnsOf({ header, rows }: CsvTable): number[] {
  const width = Math.max(header.length, ...rows.map((row) => row.length))
  return Array.from({ length: width }, (_, index) => index + 1)
}

/** Why an answer is wrong: a key of `texts.columns.wrong`. */
type WrongColumn =
  | 'noDate'
  | 'noForm'
  | 'noAmount'
  | 'noOut'
  | 'twoAmounts'
  | 'noDecimal'
  | 'noText'
  | 'twice'

type WrongAnswer = readonly [field: string, wrong: WrongColumn]

/** The mapping that the answers of a form make, or what is wrong with them. */
export function toMapping(
  table: CsvTable,
  fields: Readonly<Record<string, string>>,
): { mapping: CsvMapping } | { wrong: readonly WrongAnswer[] } {
  const columns = columnsOf(table)
  const at = (name: string): number | undefined =>
    columns.find((column) => String(column) === fields[name])
  const [date, amount, into, out] = [at('date'), at('amount'), at('in'), at('out')]
  const form = dateFormsFor(table).find((one) => one === fields['form'])
  const decimal = (['.', ','] as const).find((one) => one === fields['decimal'])
  const description = columns.filter((column) => fields[`text-${column}`] !== undefined)
  const isTwo = into !== undefined || out !== undefined
  const wrong: WrongAnswer[] = []
  if (date === undefined) wrong.push(['date', 'noDate'])
  if (form === undefined) wrong.push(['form', 'noForm'])
  if (amount === undefined && into === undefined) wrong.push(['amount', 'noAmount'])
  else if (amount !== undefined && isTwo) wrong.push(['amount', 'twoAmounts'])
  else if (into !== undefined && out === undefined) wrong.push(['out', 'noOut'])
  else if (into !== undefined && into === out) wrong.push(['out', 'twice'])
  if (decimal === undefined) wrong.push(['decimal', 'noDecimal'])
  if (description.length === 0) wrong.push([`text-${columns[0]}`, 'noText'])
  const isWhole = date !== undefined && form !== undefined && decimal !== undefined
  if (wrong.length > 0 || !isWhole) return { wrong }
  const counterparty = at('counterparty')
  const { thousands, ...told } = table.form
  const group = thousands === ' ' || thousands === "'" ? thousands : decimal === '.' ? ',' : '.'
  return check({
    ...told,
    decimal,
    thousands: group,
    date: { column: date, form },
    amount: toAmount({ amount, into, out, isInverted: fields['inverted'] !== undefined }),
    description,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...toSources({ currency: at('currency'), account: at('account'), balance: at('balance') }),
  })
}

interface AmountAnswer {
  amount: number | undefined
  into: number | undefined
  out: number | undefined
  isInverted: boolean
}

function toAmount({ amount, into, out, isInverted }: AmountAnswer): CsvMapping['amount'] {
  if (into !== undefined && out !== undefined) return { in: into, out }
  return { column: amount ?? 0, ...(isInverted ? { inverted: true } : {}) }
}

type Sources = Readonly<Record<'currency' | 'account' | 'balance', number | undefined>>

const toSources = ({ currency, account, balance }: Sources) => ({
  ...(currency === undefined ? {} : { currency: { column: currency } }),
  ...(account === undefined ? {} : { account: { id: { column: account } } }),
  ...(balance === undefined ? {} : { balance: { column: balance } }),
})

/** As a mapping of an operator is checked. */
function check(mapping: CsvMapping): { mapping: CsvMapping } | { wrong: readonly WrongAnswer[] } {
  try {
    return { mapping: readMapping('the answers', JSON.stringify(mapping)) }
  } catch (error) {
    if (error instanceof MappingError) return { wrong: [['date', 'noDate']] }
    throw error
  }
}
