import { accountsGet } from './client/accountsGet.ts'
import { transactionsSync } from './client/transactionsSync.ts'
import { walletCreate } from './client/walletCreate.ts'
import { walletGet } from './client/walletGet.ts'
import { type Connect, count, iso_currency_code } from './journey.ts'
import { client, Refused } from './kubb-client.ts'
import type { AccountsGet400 } from './types/AccountsGet.ts'
import * as accounts from './zod/accountsGetSchema.ts'
import * as transactions from './zod/transactionsSyncSchema.ts'
import * as created from './zod/walletCreateSchema.ts'
import * as found from './zod/walletGetSchema.ts'

export const connect = (({ url, headers: own }) => {
  const headers = { 'Content-Type': 'application/json', ...own }
  const config = { baseURL: url, headers, client }
  return {
    async accountsGet(access_token: string) {
      const body = { access_token }
      accounts.accountsGetMutationRequestSchema.parse(body)
      const data = await accountsGet(body, undefined, config)
      accounts.accountsGetMutationResponseSchema.parse(data)
      return data
    },
    async transactionsSync(access_token: string, cursor?: string) {
      const body = { access_token, count, ...(cursor !== undefined && { cursor }) }
      transactions.transactionsSyncMutationRequestSchema.parse(body)
      const data = await transactionsSync(body, undefined, config)
      transactions.transactionsSyncMutationResponseSchema.parse(data)
      return data
    },
    async walletCreate() {
      const body = { iso_currency_code } as const
      created.walletCreateMutationRequestSchema.parse(body)
      const data = await walletCreate(body, undefined, config)
      created.walletCreateMutationResponseSchema.parse(data)
      return data
    },
    async walletGet(wallet_id: string) {
      const body = { wallet_id }
      found.walletGetMutationRequestSchema.parse(body)
      const data = await walletGet(body, undefined, config)
      found.walletGetMutationResponseSchema.parse(data)
      return data
    },
    async accountsError(access_token: string) {
      try {
        await accountsGet({ access_token }, undefined, config)
      } catch (error) {
        if (error instanceof Refused) return error.body as AccountsGet400
        throw error
      }
      return undefined
    },
  }
}) satisfies Connect
