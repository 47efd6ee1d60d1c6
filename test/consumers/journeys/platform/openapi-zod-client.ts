import { isErrorFromAlias } from '@zodios/core'
import { createApiClient } from './client.ts'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'

const country_codes: 'US'[] = ['US']

export const connect = (({ url, headers }) => {
  const api = createApiClient(url, { validate: true })
  const options = { headers }
  return {
    linkTokenCreate: () => api.linkTokenCreate(linkRequest, options),
    linkTokenGet: (link_token: string) => api.linkTokenGet({ link_token }, options),
    itemPublicTokenExchange: (public_token: string) =>
      api.itemPublicTokenExchange({ public_token }, options),
    itemGet: (access_token: string) => api.itemGet({ access_token }, options),
    itemWebhookUpdate: (access_token: string) =>
      api.itemWebhookUpdate({ access_token, webhook }, options),
    institutionsGetById: (institution_id: string) =>
      api.institutionsGetById({ institution_id, country_codes }, options),
    itemAccessTokenInvalidate: (access_token: string) =>
      api.itemAccessTokenInvalidate({ access_token }, options),
    async exchangeError(public_token: string) {
      try {
        await api.itemPublicTokenExchange({ public_token }, options)
      } catch (error) {
        if (!isErrorFromAlias(api.api, 'itemPublicTokenExchange', error)) throw error
        if (error.response.status === 400) return error.response.data
        throw error
      }
      return undefined
    },
  }
}) satisfies ConnectLink
