import { type OperationId, operations } from '#contract/operations.ts'
import { eachExample, readBundle } from '../../scripts/contract/contract.ts'
import type { Body, Tenant } from './service.ts'

/** One call of the tour. */
export interface Stop {
  operationId: OperationId
  body: Body
}

const examples = eachExample(readBundle())

/** The contract's first example of a request. */
export function exampleRequest(operationId: OperationId): Body {
  const example = examples.find(({ place }) => place === `${operationId} request`)
  return example?.value as Body
}

/** The operations whose requests need what another call returned. */
const prepared: readonly OperationId[] = [
  'oauthToken',
  'oauthRevoke',
  'assetReportCreate',
  'assetReportGet',
  'assetReportFilter',
  'webhookVerificationKeyGet',
  'itemRemove',
]

type Call = (stop: Stop) => Promise<Body>

/**
 * Calls all operations of the interface with requests that succeed with the default seed data: the
 * contract's own examples, but for what has to be made first. `call` gives back the answer.
 */
export async function tour(client: Tenant, call: Call): Promise<void> {
  const unique = `tour-${Date.now().toString(36)}`
  const instead: Partial<Record<OperationId, Body>> = {
    transactionsSync: { cursor: '' },
    userCreate: { client_user_id: unique },
    identityVerificationCreate: { client_user_id: unique },
    protectEventSend: { timestamp: '2026-03-16T14:05:09Z' },
  }
  const ids = Object.keys(operations) as OperationId[]
  for (const operationId of ids.filter((id) => !prepared.includes(id))) {
    await call({ operationId, body: { ...exampleRequest(operationId), ...instead[operationId] } })
  }
  await tourTokens(client, call)
  await tourReports(client, call)
  const { key_id } = await client.control('sandboxWebhookRotateKey', {})
  await call({ operationId: 'webhookVerificationKeyGet', body: { key_id } })
  await call({ operationId: 'itemRemove', body: { access_token: await linkItem(client) } })
}

async function tourTokens(_client: Tenant, call: Call): Promise<void> {
  const body = { grant_type: 'client_credentials' }
  const issued = await call({ operationId: 'oauthToken', body })
  await call({ operationId: 'oauthRevoke', body: { token: issued['access_token'] } })
}

async function tourReports(client: Tenant, call: Call): Promise<void> {
  const create = { ...exampleRequest('assetReportCreate') }
  const { asset_report_token } = await call({ operationId: 'assetReportCreate', body: create })
  await client.control('sandboxClockAdvance', { seconds: 60 })
  const read = await call({ operationId: 'assetReportGet', body: { asset_report_token } })
  const report = read['report'] as { items: { accounts: { account_id: string }[] }[] } | undefined
  const account_ids_to_exclude = [report?.items[0]?.accounts[0]?.account_id ?? 'unknown']
  const body = { asset_report_token, account_ids_to_exclude }
  await call({ operationId: 'assetReportFilter', body })
}

/** Links an Item, and returns its access token. */
export async function linkItem(client: Tenant, products = ['transactions']): Promise<string> {
  const { public_token } = await client.control('sandboxPublicTokenCreate', {
    institution_id: 'ins_109508',
    initial_products: products as 'transactions'[],
  })
  return (await client.control('itemPublicTokenExchange', { public_token })).access_token
}
