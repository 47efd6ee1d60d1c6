import type { Body } from '../../support/service.ts'
import { type Ground, linking } from './trial-ground.ts'
import type { Ledger } from './trial-ledger.ts'

/** How many transactions one call creates. */
export const transactionsAtOnce = 3

const today = () => new Date().toISOString().slice(0, 10)

/** A write: makes its calls, and enters what they were answered. */
export type Write = (
  ask: (path: string, body: object) => Promise<Body>,
  unique: string,
) => Promise<void>

/** Every kind of write, on a ground. */
export function writesOn(ground: Ground, ledger: Ledger): Write[] {
  const access_token = ground.accessToken
  return [
    async (ask) => {
      const { wallet_id } = await ask('/wallet/create', { iso_currency_code: 'EUR' })
      ledger.wallets.add(String(wallet_id))
    },
    async (ask) => {
      ledger.moved.asked += 1
      await ask('/sandbox/wallet/transaction/create', { wallet_id: ground.walletId, amount: 1 })
      ledger.moved.answered += 1
    },
    async (ask, unique) => {
      const { user_id } = await ask('/user/create', newUser(unique))
      ledger.users.add(String(user_id))
    },
    async (ask, unique) => {
      const transaction = { amount: 4.75, date_posted: today(), date_transacted: today() }
      const one = { ...transaction, description: `TRIAL ${unique}` }
      const transactions = Array.from({ length: transactionsAtOnce }, () => one)
      const { transaction_ids } = await ask('/sandbox/transactions/create', {
        access_token,
        transactions,
      })
      for (const id of transaction_ids as string[]) ledger.transactions.add(id)
    },
    async (ask) => {
      const { asset_report_id, asset_report_token } = await ask('/asset_report/create', {
        access_tokens: [access_token],
        days_requested: 2,
        options: { webhook: `${ground.hooks}/reports` },
      })
      ledger.reports.set(String(asset_report_id), String(asset_report_token))
    },
    async (ask) => {
      ledger.fired.asked += 1
      await ask('/sandbox/item/fire_webhook', {
        access_token,
        webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      })
      ledger.fired.answered += 1
    },
    async (ask) => {
      const { refresh_token } = await ask('/oauth/token', { grant_type: 'client_credentials' })
      ledger.refreshTokens.add(String(refresh_token))
    },
    async (ask) => {
      const { bank_transfer_id } = await ask('/sandbox/bank_transfer/create', {
        account_id: ground.accountId,
        type: 'debit',
        amount: '12.50',
      })
      ledger.bankTransfers.add(String(bank_transfer_id))
    },
    async (ask) => {
      const { refund } = await ask('/sandbox/transfer/refund/create', {
        transfer_id: ground.transferId,
        amount: '0.01',
      })
      ledger.refunds.add((refund as { id: string }).id)
    },
    async (ask) => {
      const { public_token } = await ask('/sandbox/public_token/create', linking(ground.hooks))
      const exchanged = await ask('/item/public_token/exchange', { public_token })
      ledger.items.set(String(exchanged['item_id']), String(exchanged['access_token']))
    },
  ]
}

const newUser = (unique: string) => ({
  client_user_id: `trial-${unique}`,
  identity: {
    name: { given_name: 'Maren', family_name: 'Talvik' },
    emails: [{ data: `${unique}@example.com`, primary: true }],
    id_numbers: [
      { value: '900123456', type: 'us_ssn', category: 'social_security', country_code: 'US' },
    ],
  },
})
