import { Api, type ErrorBody, type HttpResponse, WalletCurrency } from './api.ts'
import { type Connect, count } from './journey.ts'

export const connect = (({ url, headers }) => {
  const api = new Api({ baseUrl: url, baseApiParams: { headers } })
  return {
    async accountsGet(access_token: string) {
      return (await api.accounts.accountsGet({ access_token })).data
    },
    async transactionsSync(access_token: string, cursor?: string) {
      const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
      return (await api.transactions.transactionsSync(body)).data
    },
    async walletCreate() {
      return (await api.wallet.walletCreate({ iso_currency_code: WalletCurrency.GBP })).data
    },
    async walletGet(wallet_id: string) {
      return (await api.wallet.walletGet({ wallet_id })).data
    },
    async accountsError(access_token: string) {
      const call = api.accounts.accountsGet({ access_token })
      // It throws the response, whose `error` has the type that the operation names.
      return await call.then(
        () => undefined,
        ({ error }: HttpResponse<never, ErrorBody>) => error,
      )
    },
  }
}) satisfies Connect
