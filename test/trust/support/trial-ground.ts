import type { Answered, Body } from '../../support/service.ts'
import type { ServiceProcess } from '../../support/service-process.ts'

/** What the load works on, made once for each store. */
export interface Ground {
  accessToken: string
  itemId: string
  accountId: string
  walletId: string
  transferId: string
  /** Where webhooks go. */
  hooks: string
}

type Post = ServiceProcess['post']

/** An Item like those of the load, which nothing but calls ever changes. */
export const linking = (hooks: string) => ({
  institution_id: 'ins_109508',
  initial_products: ['transactions', 'assets', 'auth'],
  options: {
    webhook: `${hooks}/items`,
    override_username: 'user_custom',
    override_password: JSON.stringify({
      override_accounts: [
        { type: 'depository', subtype: 'checking', starting_balance: 500, transactions: [] },
      ],
    }),
  },
})

/** Calls that must succeed, before anything goes wrong. */
export async function prepareGround(post: Post, hooks: string): Promise<Ground> {
  const ask = async (path: string, body: object) => succeeded(path, await post(path, body))
  const { public_token } = await ask('/sandbox/public_token/create', linking(hooks))
  const exchanged = await ask('/item/public_token/exchange', { public_token })
  const accessToken = String(exchanged['access_token'])
  await ask('/transactions/sync', { access_token: accessToken })
  await ask('/sandbox/clock/advance', { seconds: 1 })
  const { accounts } = await ask('/accounts/get', { access_token: accessToken })
  const accountId = (accounts as { account_id: string }[])[0]?.account_id ?? ''
  const wallet = await ask('/wallet/create', { iso_currency_code: 'EUR' })
  const { transfer } = await ask('/sandbox/transfer/create', {
    account_id: accountId,
    type: 'debit',
    network: 'ach',
    ach_class: 'web',
    amount: '900000.00',
    description: 'Loan payment',
    user: { legal_name: 'Maren Talvik' },
  })
  const transferId = (transfer as { id: string }).id
  for (const event_type of ['posted', 'settled']) {
    await ask('/sandbox/transfer/simulate', { transfer_id: transferId, event_type })
  }
  const itemId = String(exchanged['item_id'])
  return {
    accessToken,
    itemId,
    accountId,
    walletId: String(wallet['wallet_id']),
    transferId,
    hooks,
  }
}

function succeeded(path: string, { status, body }: Answered): Body {
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body
}
