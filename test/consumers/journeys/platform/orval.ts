import {
  institutionsGetById,
  itemAccessTokenInvalidate,
  itemGet,
  itemPublicTokenExchange,
  itemWebhookUpdate,
  linkTokenCreate,
  linkTokenGet,
} from './fetch.ts'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'
import * as zod from './zod.ts'

const country_codes: 'US'[] = ['US']

// `orval.config.ts` has the address of the service.
export const connect = (({ headers }) => ({
  async linkTokenCreate() {
    const body = linkRequest
    zod.LinkTokenCreateBody.parse(body)
    const { status, data } = await linkTokenCreate(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.LinkTokenCreateResponse.parse(data)
    return data
  },
  async linkTokenGet(link_token: string) {
    const body = { link_token }
    zod.LinkTokenGetBody.parse(body)
    const { status, data } = await linkTokenGet(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.LinkTokenGetResponse.parse(data)
    return data
  },
  async itemPublicTokenExchange(public_token: string) {
    const body = { public_token }
    zod.ItemPublicTokenExchangeBody.parse(body)
    const { status, data } = await itemPublicTokenExchange(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.ItemPublicTokenExchangeResponse.parse(data)
    return data
  },
  async itemGet(access_token: string) {
    const body = { access_token }
    zod.ItemGetBody.parse(body)
    const { status, data } = await itemGet(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.ItemGetResponse.parse(data)
    return data
  },
  async itemWebhookUpdate(access_token: string) {
    const body = { access_token, webhook }
    zod.ItemWebhookUpdateBody.parse(body)
    const { status, data } = await itemWebhookUpdate(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.ItemWebhookUpdateResponse.parse(data)
    return data
  },
  async institutionsGetById(institution_id: string) {
    const body = { institution_id, country_codes }
    zod.InstitutionsGetByIdBody.parse(body)
    const { status, data } = await institutionsGetById(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.InstitutionsGetByIdResponse.parse(data)
    return data
  },
  async itemAccessTokenInvalidate(access_token: string) {
    const body = { access_token }
    zod.ItemAccessTokenInvalidateBody.parse(body)
    const { status, data } = await itemAccessTokenInvalidate(body, { headers })
    if (status !== 200) throw new Error(data.error_code)
    zod.ItemAccessTokenInvalidateResponse.parse(data)
    return data
  },
  async exchangeError(public_token: string) {
    const { status, data } = await itemPublicTokenExchange({ public_token }, { headers })
    return status === 200 ? undefined : data
  },
})) satisfies ConnectLink
