import { institutionsGetById } from './client/institutionsGetById.ts'
import { itemAccessTokenInvalidate } from './client/itemAccessTokenInvalidate.ts'
import { itemGet } from './client/itemGet.ts'
import { itemPublicTokenExchange } from './client/itemPublicTokenExchange.ts'
import { itemWebhookUpdate } from './client/itemWebhookUpdate.ts'
import { linkTokenCreate } from './client/linkTokenCreate.ts'
import { linkTokenGet } from './client/linkTokenGet.ts'
import { type ConnectLink, linkRequest, webhook } from './journey.ts'
import { client, Refused } from './kubb-client.ts'
import type { ItemPublicTokenExchange400 } from './types/ItemPublicTokenExchange.ts'
import * as institutionsGetByIdZod from './zod/institutionsGetByIdSchema.ts'
import * as itemAccessTokenInvalidateZod from './zod/itemAccessTokenInvalidateSchema.ts'
import * as itemGetZod from './zod/itemGetSchema.ts'
import * as itemPublicTokenExchangeZod from './zod/itemPublicTokenExchangeSchema.ts'
import * as itemWebhookUpdateZod from './zod/itemWebhookUpdateSchema.ts'
import * as linkTokenCreateZod from './zod/linkTokenCreateSchema.ts'
import * as linkTokenGetZod from './zod/linkTokenGetSchema.ts'

const country_codes: 'US'[] = ['US']

export const connect = (({ url, headers: own }) => {
  const headers = { 'Content-Type': 'application/json', ...own }
  const config = { baseURL: url, headers, client }
  return {
    async linkTokenCreate() {
      const body = linkRequest
      linkTokenCreateZod.linkTokenCreateMutationRequestSchema.parse(body)
      const data = await linkTokenCreate(body, undefined, config)
      linkTokenCreateZod.linkTokenCreateMutationResponseSchema.parse(data)
      return data
    },
    async linkTokenGet(link_token: string) {
      const body = { link_token }
      linkTokenGetZod.linkTokenGetMutationRequestSchema.parse(body)
      const data = await linkTokenGet(body, undefined, config)
      linkTokenGetZod.linkTokenGetMutationResponseSchema.parse(data)
      return data
    },
    async itemPublicTokenExchange(public_token: string) {
      const body = { public_token }
      itemPublicTokenExchangeZod.itemPublicTokenExchangeMutationRequestSchema.parse(body)
      const data = await itemPublicTokenExchange(body, undefined, config)
      itemPublicTokenExchangeZod.itemPublicTokenExchangeMutationResponseSchema.parse(data)
      return data
    },
    async itemGet(access_token: string) {
      const body = { access_token }
      itemGetZod.itemGetMutationRequestSchema.parse(body)
      const data = await itemGet(body, undefined, config)
      itemGetZod.itemGetMutationResponseSchema.parse(data)
      return data
    },
    async itemWebhookUpdate(access_token: string) {
      const body = { access_token, webhook }
      itemWebhookUpdateZod.itemWebhookUpdateMutationRequestSchema.parse(body)
      const data = await itemWebhookUpdate(body, undefined, config)
      itemWebhookUpdateZod.itemWebhookUpdateMutationResponseSchema.parse(data)
      return data
    },
    async institutionsGetById(institution_id: string) {
      const body = { institution_id, country_codes }
      institutionsGetByIdZod.institutionsGetByIdMutationRequestSchema.parse(body)
      const data = await institutionsGetById(body, undefined, config)
      institutionsGetByIdZod.institutionsGetByIdMutationResponseSchema.parse(data)
      return data
    },
    async itemAccessTokenInvalidate(access_token: string) {
      const body = { access_token }
      itemAccessTokenInvalidateZod.itemAccessTokenInvalidateMutationRequestSchema.parse(body)
      const data = await itemAccessTokenInvalidate(body, undefined, config)
      itemAccessTokenInvalidateZod.itemAccessTokenInvalidateMutationResponseSchema.parse(data)
      return data
    },
    async exchangeError(public_token: string) {
      try {
        await itemPublicTokenExchange({ public_token }, undefined, config)
      } catch (error) {
        if (error instanceof Refused) return error.body as ItemPublicTokenExchange400
        throw error
      }
      return undefined
    },
  }
}) satisfies ConnectLink
