import type {
  CategoryVersion,
  Counterparty,
  PersonalFinanceCategory,
  RemovedTransaction,
  Transaction,
} from '../../../generated/2020-09-14/types.ts'
import { listOfTexts } from '../json-texts.ts'
import type { TransactionRow } from './store.ts'

/** What a request may ask about the form of transactions. */
export interface TransactionForm {
  publicUrl: string
  originalDescription: boolean
  categoryVersion: CategoryVersion
}

interface FormOptions {
  include_original_description?: boolean | null
  personal_finance_category_version?: CategoryVersion
}

/** The form that the options of a request ask for. */
export const toForm = (publicUrl: string, options: FormOptions | undefined): TransactionForm => ({
  publicUrl,
  originalDescription: options?.include_original_description ?? false,
  categoryVersion: options?.personal_finance_category_version ?? 'v2',
})

/** Transactions in the form that was asked for. */
export const toTransactions = (
  rows: readonly TransactionRow[],
  form: TransactionForm,
): Transaction[] => listOfTexts(rows.map((row) => toTransactionText(row, form)))

// A quote within a string is written with a backslash, so that these are found at fields only.
const addresses = ['"logo_url":"/', '"personal_finance_category_icon_url":"/']

/** The JSON of a transaction: that of its row, as far as it is the form that was asked for. */
function toTransactionText(row: TransactionRow, form: TransactionForm): string {
  const isStored = row.document.includes(`"account_id":${JSON.stringify(row.account_id)}`)
  if (!isStored || form.originalDescription || form.categoryVersion === 'v1') {
    return JSON.stringify(toTransaction(row, form))
  }
  const base = JSON.stringify(form.publicUrl).slice(1, -1)
  return addresses.reduce(
    (text, start) => text.replaceAll(start, () => `${start.slice(0, -1)}${base}/`),
    row.document,
  )
}

function toTransaction(row: TransactionRow, form: TransactionForm): Transaction {
  const document = readDocument(row)
  const { personal_finance_category_icon_url: icon, counterparties = [] } = document
  return {
    ...document,
    account_id: row.account_id,
    logo_url: toAbsolute(document.logo_url ?? null, form),
    counterparties: counterparties.map((party) => toCounterparty(party, form)),
    ...(icon === undefined
      ? {}
      : { personal_finance_category_icon_url: `${form.publicUrl}${icon}` }),
    ...(form.categoryVersion === 'v1'
      ? { personal_finance_category: JSON.parse(row.category_v1) as PersonalFinanceCategory }
      : {}),
    ...(form.originalDescription ? { original_description: row.original_description } : {}),
  }
}

/** The document of a row, with addresses that are relative to the service. */
export const readDocument = (row: Pick<TransactionRow, 'document'>): Transaction =>
  JSON.parse(row.document)

/** Addresses are stored without the service's own, which may be another one tomorrow. */
const toAbsolute = (path: string | null, { publicUrl }: TransactionForm): string | null =>
  path === null ? null : `${publicUrl}${path}`

const toCounterparty = (party: Counterparty, form: TransactionForm): Counterparty => ({
  ...party,
  logo_url: toAbsolute(party.logo_url, form),
})

export const toRemovedTransaction = (row: TransactionRow): RemovedTransaction => ({
  transaction_id: row.transaction_id,
  account_id: row.account_id,
})

type Life = Pick<TransactionRow, 'added_sequence' | 'last_sequence' | 'earlier' | 'removed'>

/** Whether the Item shows the transaction now. */
export const isShown = (row: Life): boolean => row.removed === 0 && row.added_sequence !== null

export const readEarlier = (row: Pick<TransactionRow, 'earlier'>): [number, number][] =>
  row.earlier === null ? [] : JSON.parse(row.earlier)

/** Whether a client that has read up to a position knows the transaction; before its last change. */
function isKnownAt(row: Life, position: number): boolean {
  if (row.added_sequence !== null && row.added_sequence <= position) return true
  return readEarlier(row).some(([from, until]) => from <= position && position < until)
}

/** What happened to a changed transaction, all in all, since a position. */
export function netEffect(row: Life, position: number): 'added' | 'modified' | 'removed' | 'none' {
  if (isKnownAt(row, position)) return isShown(row) ? 'modified' : 'removed'
  return isShown(row) ? 'added' : 'none'
}
