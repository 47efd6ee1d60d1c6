import { createClient } from './client/client/index.ts'
import { accountsGet, transactionsSync, walletCreate, walletGet } from './client/sdk.gen.ts'
import { type Connect, count, iso_currency_code } from './journey.ts'

export const connect = (({ url, headers }) => {
  const client = createClient({ baseUrl: url, headers })
  const options = { client, throwOnError: true } as const
  return {
    async accountsGet(access_token: string) {
      return (await accountsGet({ ...options, body: { access_token } })).data
    },
    async transactionsSync(access_token: string, cursor?: string) {
      const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
      return (await transactionsSync({ ...options, body })).data
    },
    async walletCreate() {
      return (await walletCreate({ ...options, body: { iso_currency_code } })).data
    },
    async walletGet(wallet_id: string) {
      return (await walletGet({ ...options, body: { wallet_id } })).data
    },
    async accountsError(access_token: string) {
      return (await accountsGet({ client, body: { access_token } })).error
    },
  }
}) satisfies Connect
