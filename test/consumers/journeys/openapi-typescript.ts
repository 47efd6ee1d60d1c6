import createClient from 'openapi-fetch'
import { type Connect, count, iso_currency_code } from './journey.ts'
import type { paths } from './types.ts'

export const connect = (({ url, headers }) => {
  const client = createClient<paths>({ baseUrl: url, headers })
  return {
    async accountsGet(access_token: string) {
      const { data, error } = await client.POST('/accounts/get', { body: { access_token } })
      if (error) throw new Error(error.error_code)
      return data
    },
    async transactionsSync(access_token: string, cursor?: string) {
      const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
      const { data, error } = await client.POST('/transactions/sync', { body })
      if (error) throw new Error(error.error_code)
      return data
    },
    async walletCreate() {
      const { data, error } = await client.POST('/wallet/create', { body: { iso_currency_code } })
      if (error) throw new Error(error.error_code)
      return data
    },
    async walletGet(wallet_id: string) {
      const { data, error } = await client.POST('/wallet/get', { body: { wallet_id } })
      if (error) throw new Error(error.error_code)
      return data
    },
    async accountsError(access_token: string) {
      const { error } = await client.POST('/accounts/get', { body: { access_token } })
      return error
    },
  }
}) satisfies Connect
