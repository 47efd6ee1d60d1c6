/** Where the service is, and the headers of each request. */
export interface Target {
  url: string
  headers: Record<string, string>
}

/** The calls of the journey through the interface. A generated client has to return at least this by its own types. */
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

/** The calls of the journey through the platform API, from a link token to an Item's new access token. */
export interface LinkCalls {
  linkTokenCreate(): Promise<{ link_token: string }>
  linkTokenGet(link_token: string): Promise<{ link_sessions: Session[] }>
  itemPublicTokenExchange(public_token: string): Promise<{ access_token: string; item_id: string }>
  itemGet(access_token: string): Promise<{ item: Item }>
  itemWebhookUpdate(access_token: string): Promise<{ item: Item }>
  institutionsGetById(institution_id: string): Promise<{ institution: { institution_id: string } }>
  itemAccessTokenInvalidate(access_token: string): Promise<{ new_access_token: string }>
  /** The typed error of `itemPublicTokenExchange`, if it fails. */
  exchangeError(public_token: string): Promise<Failure | undefined>
}

interface Session {
  results: { item_add_results: { public_token: string }[] } | null
}
interface Item {
  item_id: string
  institution_id?: string | null | undefined
  webhook: string | null
}

export type ConnectLink = (target: Target) => LinkCalls

/** Small, so that a history has several pages. */
export const count = 20

/** The currency of the wallet. */
export const iso_currency_code = 'GBP'

/** What a link token is made with. */
export const linkRequest: {
  client_name: string
  language: 'en'
  country_codes: 'US'[]
  user: { client_user_id: string }
  products: 'transactions'[]
} = {
  client_name: 'Larkspur Lending',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'borrower-7f3a' },
  products: ['transactions'],
}

/** Where the Item's webhooks then go. Nothing listens there. */
export const webhook = 'http://127.0.0.1:9/webhooks'
