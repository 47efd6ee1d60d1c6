import { toDecimal } from '../server/kernel/money.ts'
import { currencyOf, type ExportWriter } from './exported.ts'

const columns = [
  'date',
  'description',
  'amount',
  'currency',
  'status',
  'account_id',
  'account_name',
  'transaction_id',
  'authorized_date',
  'merchant_name',
  'category',
  'original_description',
]

/** Writes CSV (RFC 4180) with one row for each transaction. */
export function csvWriter(): ExportWriter {
  return {
    begin: () => `${columns.join(',')}\r\n`,
    beginAccount: () => '',
    transaction: (transaction, account) => {
      const cells = [
        transaction.date,
        asText(transaction.name),
        toDecimal(transaction.amount),
        currencyOf(transaction),
        transaction.pending ? 'pending' : 'posted',
        account.account_id,
        asText(account.name),
        transaction.transaction_id,
        transaction.authorized_date,
        asText(transaction.merchant_name),
        asText(transaction.category),
        asText(transaction.original_description),
      ]
      return `${cells.map(toCell).join(',')}\r\n`
    },
    endAccount: () => '',
    end: () => '',
  }
}

/** A spreadsheet takes such a text as a formula. Our own import leaves the apostrophe out. */
const asText = (text: string | null): string | null =>
  text !== null && /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text

const toCell = (text: string | null): string => {
  if (text === null) return ''
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
