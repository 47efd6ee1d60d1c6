import type { CsvAmount } from '../../../generated/statements/types.ts'
import { bare } from './amounts.ts'
import type { Roles } from './draft.ts'
import { dateFormsOf, type Sample, valuesAt } from './sample.ts'
import type { Column } from './shapes.ts'

/** How banks call their columns, in several languages. */
const words = {
  date: /\b(date|datum|fecha|data|dato|buchung|buchungs(tag|datum)|boekdatum|bokföringsda\w+)\b/,
  value_date: /value.?date|valuta?\b|valutadatum|wertstellung|rentedatum|date.*valeur|fecha.*valor/,
  amount: /^(amount|betrag|bedrag|montant|importe?|importo|belopp|beløb|value|sum|umsatz|summe)\b/,
  in: /\b(credit|crédit|haben|paid in|money in|deposits?|abono|ingresos?|entrate|gutschrift|in)\b/,
  out: /\b(debit|débit|soll|paid out|money out|withdrawals?|cargos?|uscite|belastung|out)\b/,
  balance: /balance|saldo|solde|kontostand/,
  currency: /^(currency|ccy|währung|waehrung|devise|divisa|valuta|munt|moneda)$/,
  description:
    /descri|purpose|zweck|text|libell|omschrij|mededel|concepto|causale|reference|details|memo|narrative|particulars|rubrik/,
  counterparty: /payee|\bname\b|empf|auftraggeber|beg.+nstigt|tegenpartij|partner|merchant|benefic/,
  id: /^((transaction |booking )?id|fitid)$/,
  account: /^(account( number| no\.?)?|auftragskonto|iban|konto|kontonummer|rekening)$/,
} as const

type Word = keyof typeof words

interface Known {
  column: Column
  name: string
  values: readonly string[]
  kind: 'date' | 'number' | 'text' | 'empty'
}

/** What a file's columns may be; undefined where it has no date or no amount. */
export function guessRoles(sample: Sample): Roles | undefined {
  const columns = columnsOf(sample)
  const find = (word: Word, kind: Known['kind'], but: readonly (Known | undefined)[] = []) =>
    columns.find((each) => each.kind === kind && words[word].test(each.name) && !but.includes(each))
  const valueDate = find('value_date', 'date')
  const date =
    find('date', 'date', [valueDate]) ?? columns.find(({ kind }) => kind === 'date') ?? undefined
  const balance = find('balance', 'number')
  const amount = amountOf(columns, find, balance)
  if (!date || !amount) return undefined
  const texts = columns.filter(({ kind, name }) => kind === 'text' && words.description.test(name))
  const party = find('counterparty', 'text')
  const description = [...(party ? [party] : []), ...texts.filter((each) => each !== party)]
  const longest = columns.filter(({ kind }) => kind === 'text').sort(byLength)[0]
  const currency = columns.find(isCurrency)
  const account = columns.find(({ name, kind }) => kind !== 'date' && words.account.test(name))
  return {
    date: date.column,
    value_date: valueDate === date ? undefined : valueDate?.column,
    amount,
    description: (description.length > 0 ? description : longest ? [longest] : [date]).map(
      ({ column }) => column,
    ),
    counterparty: party?.column,
    id: columns.find(({ name }) => words.id.test(name))?.column,
    ...(currency ? { currency: { column: currency.column } } : {}),
    ...(account ? { account: { id: { column: account.column } } } : {}),
    balance: balance?.column,
  }
}

type Find = (
  word: Word,
  kind: Known['kind'],
  but?: readonly (Known | undefined)[],
) => Known | undefined

function amountOf(
  columns: readonly Known[],
  find: Find,
  balance: Known | undefined,
): CsvAmount | undefined {
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const named = find('amount', 'number', [balance])
  if (named) return { column: named.column }
  const into = find('in', 'number', [balance])
  const out = find('out', 'number', [balance, into])
  if (into && out) return { in: into.column, out: out.column }
  const [first] = numbers.filter((each) => each !== balance && !words.account.test(each.name))
  return first && { column: first.column }
}

const isCurrency = ({ name, values }: Known): boolean =>
  (words.currency.test(name) || name === '') &&
  values.length > 0 &&
  values.every((value) => /^[A-Z]{3}$/.test(value.trim()))

const byLength = (a: Known, b: Known): number => lengthOf(b) - lengthOf(a)
const lengthOf = ({ values }: Known): number => values.join('').length

function columnsOf({ header, rows }: Sample): Known[] {
  const width = Math.max(header?.length ?? 0, ...rows.map((row) => row.length))
  return Array.from({ length: width }, (_, index) => {
    const name = header?.[index]?.trim() ?? ''
    const values = valuesAt({ rows }, index)
    const isTwice = header && header.filter((each) => each.trim() === name).length > 1
    return {
      column: name === '' || isTwice ? index + 1 : name,
      name: name.toLowerCase(),
      values,
      kind: kindOf(values),
    }
  })
}

function kindOf(values: readonly string[]): Known['kind'] {
  if (values.length === 0) return 'empty'
  if (dateFormsOf(values).length > 0) return 'date'
  return values.every((value) => /^[+-]?\d[\d., ']*$/.test(bare(value).digits)) ? 'number' : 'text'
}
