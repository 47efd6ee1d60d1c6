import { accountsGet, transactionsSync, walletCreate, walletGet } from './fetch.ts'
import { type Connect, count, iso_currency_code } from './journey.ts'
import * as zod from './zod.ts'

// `orval.config.ts` has the address of the service.
export const connect = (({ headers }) => ({
  async accountsGet(access_token: string) {
    const body = { access_token }
    zod.AccountsGetBody.parse(body)
    const { status, data } = await accountsGet(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.AccountsGetResponse.parse(data)
    return data
  },
  async transactionsSync(access_token: string, cursor?: string) {
    const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
    zod.TransactionsSyncBody.parse(body)
    const { status, data } = await transactionsSync(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.TransactionsSyncResponse.parse(data)
    return data
  },
  async walletCreate() {
    const body = { iso_currency_code } as const
    zod.WalletCreateBody.parse(body)
    const { status, data } = await walletCreate(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.WalletCreateResponse.parse(data)
    return data
  },
  async walletGet(wallet_id: string) {
    const body = { wallet_id }
    zod.WalletGetBody.parse(body)
    const { status, data } = await walletGet(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.WalletGetResponse.parse(data)
    return data
  },
  async accountsError(access_token: string) {
    const { status, data } = await accountsGet({ access_token }, { headers })
    return status === 200 ? undefined : data
  },
})) satisfies Connect
