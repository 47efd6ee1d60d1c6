/** Where the service is, and the headers of each request. */
export interface Target {
  url: string
  headers: Record<string, string>
}

/** The calls of the journey. A generated client has to return at least this by its own types. */
export interface Calls {
  accountsGet(access_token: string): Promise<{ accounts: { account_id: string }[] }>
  transactionsSync(access_token: string, cursor?: string): Promise<Page>
  walletCreate(): Promise<Wallet>
  walletGet(wallet_id: string): Promise<Wallet>
  /** The typed error of `accountsGet`, if it fails. */
  accountsError(access_token: string): Promise<Failure | undefined>
}

interface Page {
  added: { transaction_id: string }[]
  next_cursor: string
  has_more: boolean
}
interface Wallet {
  wallet_id: string
  balance: { iso_currency_code: string; current: number }
}
interface Failure {
  error_type: string
  error_code: string
  request_id: string
}

export type Connect = (target: Target) => Calls

/** Small, so that a history has several pages. */
export const count = 20

/** The currency of the wallet. */
export const iso_currency_code = 'GBP'
