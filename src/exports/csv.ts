import { toDecimal } from '../server/kernel/money.ts'
import type { ExportWriter } from './exported.ts'

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
        transaction.name,
        toDecimal(transaction.amount),
        account.iso_currency_code ?? account.unofficial_currency_code ?? '',
        transaction.pending ? 'pending' : 'posted',
        account.account_id,
        account.name,
        transaction.transaction_id,
        transaction.authorized_date,
        transaction.merchant_name,
        transaction.category,
        transaction.original_description,
      ]
      return `${cells.map(toCell).join(',')}\r\n`
    },
    endAccount: () => '',
    end: () => '',
  }
}

const toCell = (text: string | null): string => {
  if (text === null) return ''
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
