import { createClient } from './client/client/index.ts'
import {
  institutionsGetById,
  itemAccessTokenInvalidate,
  itemGet,
  itemPublicTokenExchange,
  itemWebhookUpdate,
  linkTokenCreate,
  linkTokenGet,
} from './client/sdk.gen.ts'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'

const country_codes: 'US'[] = ['US']

export const connect = (({ url, headers }) => {
  const client = createClient({ baseUrl: url, headers })
  const options = { client, throwOnError: true } as const
  return {
    async linkTokenCreate() {
      const body = linkRequest
      return (await linkTokenCreate({ ...options, body })).data
    },
    async linkTokenGet(link_token: string) {
      const body = { link_token }
      return (await linkTokenGet({ ...options, body })).data
    },
    async itemPublicTokenExchange(public_token: string) {
      const body = { public_token }
      return (await itemPublicTokenExchange({ ...options, body })).data
    },
    async itemGet(access_token: string) {
      const body = { access_token }
      return (await itemGet({ ...options, body })).data
    },
    async itemWebhookUpdate(access_token: string) {
      const body = { access_token, webhook }
      return (await itemWebhookUpdate({ ...options, body })).data
    },
    async institutionsGetById(institution_id: string) {
      const body = { institution_id, country_codes }
      return (await institutionsGetById({ ...options, body })).data
    },
    async itemAccessTokenInvalidate(access_token: string) {
      const body = { access_token }
      return (await itemAccessTokenInvalidate({ ...options, body })).data
    },
    async exchangeError(public_token: string) {
      return (await itemPublicTokenExchange({ client, body: { public_token } })).error
    },
  }
}) satisfies ConnectLink
