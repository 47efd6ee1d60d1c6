import { isErrorFromAlias } from '@zodios/core'
import { createApiClient } from './client.ts'
import { type Connect, count, iso_currency_code } from './journey.ts'

export const connect = (({ url, headers }) => {
  const api = createApiClient(url, { validate: true })
  const options = { headers }
  return {
    accountsGet: (access_token: string) => api.accountsGet({ access_token }, options),
    transactionsSync(access_token: string, cursor?: string) {
      const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
      return api.transactionsSync(body, options)
    },
    walletCreate: () => api.walletCreate({ iso_currency_code }, options),
    walletGet: (wallet_id: string) => api.walletGet({ wallet_id }, options),
    async accountsError(access_token: string) {
      try {
        await api.accountsGet({ access_token }, options)
      } catch (error) {
        if (!isErrorFromAlias(api.api, 'accountsGet', error)) throw error
        if (error.response.status === 400) return error.response.data
        throw error
      }
      return undefined
    },
  }
}) satisfies Connect
