import { createHash } from 'node:crypto'
import type { Account, Transaction } from '#contract/types.ts'
import type {
  BankAccount,
  BankRow,
  BankState,
  ScriptedBank,
} from '../../src/connector-tests/index.ts'

/** The settings of an institution that another service has. */
export const settings = {
  url: 'https://upstream.example.com',
  client_id: '65f2a0c1d4e5b6a7c8d9e0f1',
  secret: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
}

const access_token = 'access-production-11111111-2222-4333-8444-555555555555'
const item_id = 'gqm4mV1sokvhN4EB6ayBRKvsAqtq4kF4u8agJ'
const link_token = 'link-production-11111111-2222-4333-8444-555555555555'
const request_id = 'aB3dE5fG7hI9jK1'

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const accountId = ({ id }: BankAccount) => `acc${digest(id)}`

const toAccount = (account: BankAccount): Account => ({
  account_id: accountId(account),
  name: account.name,
  official_name: null,
  mask: account.name.slice(-4),
  type: 'depository',
  subtype: account.name.startsWith('Savings') ? 'savings' : 'checking',
  balances: {
    available: null,
    current: Number(account.balance),
    limit: null,
    iso_currency_code: account.currency,
    unofficial_currency_code: null,
  },
})

/** A posted row has another id than the pending one that it was. */
const toTransaction = (account: BankAccount, row: BankRow): Transaction => ({
  transaction_id: `tra${digest(`${account.id} ${row.id} ${row.status}`)}`,
  account_id: accountId(account),
  account_owner: null,
  amount: 0 - Number(row.amount),
  iso_currency_code: row.currency,
  unofficial_currency_code: null,
  date: row.date,
  datetime: null,
  authorized_date: null,
  authorized_datetime: null,
  name: row.description,
  original_description: row.description,
  pending: row.status === 'pending',
  pending_transaction_id: null,
  payment_channel: 'other',
  transaction_code: null,
  location: {
    ...{ address: null, city: null, region: null, postal_code: null, country: null },
    ...{ lat: null, lon: null, store_number: null },
  },
  payment_meta: {
    ...{ reference_number: null, ppd_id: null, payee: null, by_order_of: null, payer: null },
    ...{ payment_method: null, payment_processor: null, reason: null },
  },
})

const listAll = ({ accounts }: BankState): Transaction[] =>
  accounts.flatMap((account) => account.rows.map((row) => toTransaction(account, row)))

/** What a caller knew at each cursor. */
const known = new Map<string, Transaction[]>()

function sync(body: Body, state: BankState): object {
  const all = listAll(state)
  const before = known.get(body.cursor ?? '') ?? []
  const ids = new Set(before.map(({ transaction_id }) => transaction_id))
  const next_cursor = digest(JSON.stringify(all))
  known.set(next_cursor, all)
  return {
    transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
    accounts: state.accounts.map(toAccount),
    added: all.filter(({ transaction_id }) => !ids.has(transaction_id)),
    modified: [],
    removed: before
      .filter((one) => !all.some(({ transaction_id }) => transaction_id === one.transaction_id))
      .map(({ transaction_id, account_id }) => ({ transaction_id, account_id })),
    next_cursor,
    has_more: false,
  }
}

interface Body {
  cursor?: string
  start_date?: string
  end_date?: string
  access_token?: string
}

const item = {
  item_id,
  institution_id: 'ins_109508',
  institution_name: 'Tidewater Lantern Bank',
  webhook: null,
  auth_method: null,
  error: null,
  available_products: [],
  billed_products: ['transactions'],
  products: ['transactions'],
  consent_expiration_time: null,
  created_at: '2026-03-16T12:01:00Z',
  consented_products: ['transactions'],
  update_type: 'background',
}

const answers: Readonly<Record<string, (body: Body, state: BankState) => object>> = {
  '/link/token/create': () => ({
    link_token,
    expiration: '2026-03-16T16:00:00Z',
    hosted_link_url: `${settings.url}/hosted/link/one`,
  }),
  '/link/token/get': () => ({
    link_token,
    created_at: '2026-03-16T12:00:00Z',
    expiration: '2026-03-16T16:00:00Z',
    metadata: {
      initial_products: ['transactions'],
      webhook: null,
      country_codes: ['US'],
      language: 'en',
      institution_data: null,
      account_filters: null,
      redirect_uri: null,
      client_name: 'Financial Data Service',
    },
    link_sessions: [
      {
        link_session_id: '8b7a4c1d-2f60-4e9b-8a3c-5d1e7f9b0c24',
        started_at: '2026-03-16T12:00:00Z',
        finished_at: '2026-03-16T12:01:00Z',
        exit: null,
        events: [],
        results: {
          item_add_results: [
            {
              public_token: 'public-production-11111111-2222-4333-8444-555555555555',
              accounts: [],
              institution: null,
            },
          ],
        },
      },
    ],
  }),
  '/item/public_token/exchange': () => ({ access_token, item_id }),
  '/item/get': () => ({ item, status: { transactions: null, last_webhook: null } }),
  '/accounts/get': (_, { accounts }) => ({ accounts: accounts.map(toAccount), item }),
  '/transactions/sync': sync,
  '/transactions/get': ({ start_date = '', end_date = '' }, state) => {
    const transactions = listAll(state).filter(({ date }) => date >= start_date && date <= end_date)
    const accounts = state.accounts.map(toAccount)
    return { accounts, transactions, total_transactions: transactions.length, item }
  },
}

const rejected = {
  error_type: 'ITEM_ERROR',
  error_message: 'the user must log in again',
  display_message: null,
  request_id,
  documentation_url: null,
  suggested_action: null,
}

/** Another service for the checks of connectors. */
export const upstreamBank: ScriptedBank = {
  settings,
  answer: () => ({}),
  // It says a code. Without one, something in front of it has answered.
  rejections: (['ITEM_LOGIN_REQUIRED', 'INVALID_ACCESS_TOKEN'] as const).map((error_code) => ({
    status: 400,
    body: JSON.stringify({ ...rejected, error_code }),
  })),
  // Accounts are told together.
  lacks: ['accounts that fail'],
  respond({ url, headers, body }, state) {
    if (headers?.['service-secret'] !== settings.secret) return { status: 401, body: '' }
    const answer = answers[url.pathname]
    if (!answer) return { status: 404, body: '' }
    const asked = JSON.parse(body ?? '{}') as Body
    return { body: JSON.stringify({ ...answer(asked, state), request_id }) }
  },
}
