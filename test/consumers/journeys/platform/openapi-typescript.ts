import createClient from 'openapi-fetch'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'
import type { paths } from './types.ts'

const country_codes: 'US'[] = ['US']

export const connect = (({ url, headers }) => {
  const client = createClient<paths>({ baseUrl: url, headers })
  return {
    async linkTokenCreate() {
      const { data, error } = await client.POST('/link/token/create', { body: linkRequest })
      if (error) throw new Error(error.error_code)
      return data
    },
    async linkTokenGet(link_token: string) {
      const { data, error } = await client.POST('/link/token/get', { body: { link_token } })
      if (error) throw new Error(error.error_code)
      return data
    },
    async itemPublicTokenExchange(public_token: string) {
      const { data, error } = await client.POST('/item/public_token/exchange', {
        body: { public_token },
      })
      if (error) throw new Error(error.error_code)
      return data
    },
    async itemGet(access_token: string) {
      const { data, error } = await client.POST('/item/get', { body: { access_token } })
      if (error) throw new Error(error.error_code)
      return data
    },
    async itemWebhookUpdate(access_token: string) {
      const body = { access_token, webhook }
      const { data, error } = await client.POST('/item/webhook/update', { body })
      if (error) throw new Error(error.error_code)
      return data
    },
    async institutionsGetById(institution_id: string) {
      const body = { institution_id, country_codes }
      const { data, error } = await client.POST('/institutions/get_by_id', { body })
      if (error) throw new Error(error.error_code)
      return data
    },
    async itemAccessTokenInvalidate(access_token: string) {
      const { data, error } = await client.POST('/item/access_token/invalidate', {
        body: { access_token },
      })
      if (error) throw new Error(error.error_code)
      return data
    },
    async exchangeError(public_token: string) {
      const body = { public_token }
      const { error } = await client.POST('/item/public_token/exchange', { body })
      return error
    },
  }
}) satisfies ConnectLink
