import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import type { TestService } from '../../src/testing/index.ts'
import { type LinkCalls, webhook } from './journeys/journey.ts'

const institution_id = 'ins_109508'

/** Lets a user link an Item by a generated client of the platform API, and looks after the Item. */
export async function followLink(calls: LinkCalls, service: TestService): Promise<void> {
  const publicToken = await linkUser(calls, service)
  const { access_token, item_id } = await calls.itemPublicTokenExchange(publicToken)
  const { item } = await calls.itemGet(access_token)
  deepEqual([item.item_id, item.institution_id], [item_id, institution_id])
  const { institution } = await calls.institutionsGetById(institution_id)
  equal(institution.institution_id, institution_id)
  const updated = await calls.itemWebhookUpdate(access_token)
  deepEqual([updated.item.item_id, updated.item.webhook], [item_id, webhook])
  await replaceToken(calls, access_token, service)
  await failWithUsedToken(calls, publicToken)
}

/** The public token of a user who has linked. The sandbox ends the session in place of the user. */
async function linkUser(calls: LinkCalls, { control }: TestService): Promise<string> {
  const { link_token } = await calls.linkTokenCreate()
  await control
    .sandboxLinkSessionFinish({ link_token, status: 'SUCCESS', institution_id })
    .orThrow()
  const { link_sessions } = await calls.linkTokenGet(link_token)
  const [result] = link_sessions[0]?.results?.item_add_results ?? []
  match(result?.public_token ?? '', /^public-sandbox-/)
  return result?.public_token ?? ''
}

async function replaceToken(calls: LinkCalls, access_token: string, { client }: TestService) {
  const { new_access_token } = await calls.itemAccessTokenInvalidate(access_token)
  notEqual(new_access_token, access_token)
  const { accounts } = await client.accountsGet({ access_token: new_access_token }).orThrow()
  notEqual(accounts.length, 0)
}

async function failWithUsedToken(calls: LinkCalls, publicToken: string): Promise<void> {
  const error = await calls.exchangeError(publicToken)
  deepEqual([error?.error_type, error?.error_code], ['INVALID_INPUT', 'INVALID_PUBLIC_TOKEN'])
  match(error?.request_id ?? '', /^\w{15}$/)
}
