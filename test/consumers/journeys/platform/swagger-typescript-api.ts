import {
  Api,
  CountryCode,
  type ErrorBody,
  type HttpResponse,
  LinkLanguage,
  Product,
} from './api.ts'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'

const country_codes = [CountryCode.US]
const ownEnums = { language: LinkLanguage.En, country_codes, products: [Product.Transactions] }

export const connect = (({ url, headers }) => {
  const api = new Api({ baseUrl: url, baseApiParams: { headers } })
  return {
    async linkTokenCreate() {
      return (await api.link.linkTokenCreate({ ...linkRequest, ...ownEnums })).data
    },
    async linkTokenGet(link_token: string) {
      return (await api.link.linkTokenGet({ link_token })).data
    },
    async itemPublicTokenExchange(public_token: string) {
      return (await api.item.itemPublicTokenExchange({ public_token })).data
    },
    async itemGet(access_token: string) {
      return (await api.item.itemGet({ access_token })).data
    },
    async itemWebhookUpdate(access_token: string) {
      return (await api.item.itemWebhookUpdate({ access_token, webhook })).data
    },
    async institutionsGetById(institution_id: string) {
      return (await api.institutions.institutionsGetById({ institution_id, country_codes })).data
    },
    async itemAccessTokenInvalidate(access_token: string) {
      return (await api.item.itemAccessTokenInvalidate({ access_token })).data
    },
    async exchangeError(public_token: string) {
      const call = api.item.itemPublicTokenExchange({ public_token })
      // It throws the response, whose `error` has the type that the operation names.
      return await call.then(
        () => undefined,
        ({ error }: HttpResponse<never, ErrorBody>) => error,
      )
    },
  }
}) satisfies ConnectLink
