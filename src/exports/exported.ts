/** An account as it is written to a file. */
export interface ExportedAccount {
  account_id: string
  name: string
  type: string
  subtype: string | null
  /** Null for a currency outside of ISO 4217. */
  iso_currency_code: string | null
  unofficial_currency_code: string | null
  /** In minor units, as the interface has it: what is owed on a card or loan is positive. */
  current: number
  available: number | null
  /** The day of the balances: `YYYY-MM-DD`. */
  balance_date: string
  /** The first and the last day of the Item's transactions; null without any. */
  from: string | null
  to: string | null
}

/** A transaction as it is written to a file. */
export interface ExportedTransaction {
  transaction_id: string
  date: string
  authorized_date: string | null
  pending: boolean
  /** In minor units, from the customer's view: money into the account is positive. */
  amount: number
  /** Its own, which may be another one than that of the account. */
  iso_currency_code: string | null
  unofficial_currency_code: string | null
  name: string
  merchant_name: string | null
  /** The bank's own text. */
  original_description: string | null
  category: string | null
  check_number: string | null
}

/** Writes a file piece by piece: first the accounts, each followed by its transactions. */
export interface ExportWriter {
  begin(): string
  beginAccount(account: ExportedAccount): string
  transaction(transaction: ExportedTransaction, account: ExportedAccount): string
  endAccount(account: ExportedAccount): string
  end(): string
}

/** Whether a transaction has another currency than its account. */
export const isForeign = (transaction: ExportedTransaction, account: ExportedAccount): boolean =>
  currencyOf(transaction) !== currencyOf(account)

type Currencies = Pick<ExportedAccount, 'iso_currency_code' | 'unofficial_currency_code'>

/** A code, or an address; empty where neither is known. */
export const currencyOf = ({ iso_currency_code, unofficial_currency_code }: Currencies): string =>
  iso_currency_code ?? unofficial_currency_code ?? ''

/** Whether the balance of an account is what is owed, so that the customer's view has another sign. */
export const isDebt = ({ type }: ExportedAccount): boolean => type === 'credit' || type === 'loan'
