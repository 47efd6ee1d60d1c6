import type {
  CategoryVersion,
  PersonalFinanceCategory,
  RemovedTransaction,
  Transaction,
} from '#contract/closed.ts'
import { listOfText } from '../kernel/list-text.ts'
import type { PageRow, TransactionRow } from './store.ts'

/** The options of a request about the form of transactions. */
interface TransactionForm {
  publicUrl: string
  originalDescription: boolean
  categoryVersion: CategoryVersion
}

interface FormOptions {
  include_original_description?: boolean | null
  personal_finance_category_version?: CategoryVersion
}

/** The form that the options of a request select. */
export const toForm = (publicUrl: string, options: FormOptions | undefined): TransactionForm => ({
  publicUrl,
  originalDescription: options?.include_original_description ?? false,
  categoryVersion: options?.personal_finance_category_version ?? 'v2',
})

/** Whether transactions are stored in the requested form. */
export const isStoredForm = ({ originalDescription, categoryVersion }: TransactionForm): boolean =>
  !originalDescription && categoryVersion === 'v2'

/** Transactions in the requested form. */
export const toTransactions = (rows: readonly PageRow[], form: TransactionForm): Transaction[] =>
  listOfText(withAddresses(rows.map((row) => toText(row, form)).join(','), form))

// Quotes within a string are escaped, so this matches only at fields.
const relative = '_url":"/'

/** Image addresses are stored without the base URL of the service, since that may change. */
const withAddresses = (text: string, { publicUrl }: TransactionForm): string =>
  text.replaceAll(relative, () => `_url":${JSON.stringify(`${publicUrl}/`).slice(0, -1)}`)

/** The JSON of a transaction. It is the stored text if that has the requested form. */
function toText(row: PageRow, form: TransactionForm): string {
  const isOfAccount = row.document.includes(`"account_id":${JSON.stringify(row.account_id)}`)
  return isOfAccount && isStoredForm(form) ? row.document : JSON.stringify(toTransaction(row, form))
}

function toTransaction(row: PageRow, form: TransactionForm): Transaction {
  return {
    ...readDocument(row),
    account_id: row.account_id,
    ...(form.categoryVersion === 'v1'
      ? {
          personal_finance_category: JSON.parse(
            row.category_v1 ?? 'null',
          ) as PersonalFinanceCategory,
        }
      : {}),
    ...(form.originalDescription ? { original_description: row.original_description ?? null } : {}),
  }
}

/** The document of a row, with addresses relative to the service. */
export const readDocument = (row: Pick<TransactionRow, 'document'>): Transaction =>
  JSON.parse(row.document)

export const toRemovedTransaction = (row: PageRow): RemovedTransaction => ({
  transaction_id: row.transaction_id,
  account_id: row.account_id,
})

type Life = Pick<TransactionRow, 'added_sequence' | 'last_sequence' | 'earlier' | 'removed'>

/** Whether the Item shows the transaction now. */
export const isShown = (row: Life): boolean => row.removed === 0 && row.added_sequence !== null

export const readEarlier = (row: Pick<TransactionRow, 'earlier'>): [number, number][] =>
  row.earlier === null ? [] : JSON.parse(row.earlier)

/** Whether a client at a position knows the transaction, as it was before its last change. */
function isKnownAt(row: Life, position: number): boolean {
  if (row.added_sequence !== null && row.added_sequence <= position) return true
  return readEarlier(row).some(([from, until]) => from <= position && position < until)
}

/** The combined effect of all changes to a transaction since a position. */
export function netEffect(row: Life, position: number): 'added' | 'modified' | 'removed' | 'none' {
  if (isKnownAt(row, position)) return isShown(row) ? 'modified' : 'removed'
  return isShown(row) ? 'added' : 'none'
}
