import type { FilledDatabase, FilledItem } from '../../scripts/bench/fill-database.ts'
import { eachExample, eachOperation, readBundle, written } from '../../scripts/contract/contract.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { mostCounted, readQueues } from '../../src/server/observe/queues.ts'
import {
  countDeadJobs,
  insertDeadJob,
  listDeadJobs,
  reviveDeadJob,
} from '../../src/server/queue/dead-job-store.ts'
import { listDueEndpoints } from '../../src/server/queue/due-webhook-store.ts'
import { listClientsWithWork, listDueClients } from '../../src/server/queue/job-store.ts'
import { pruneClient } from '../../src/server/worker/retention/prune.ts'
import { listClientsAfter } from '../../src/server/worker/retention/store.ts'
import { readSources } from './connected-day.ts'
import { lookAtDashboard } from './dashboard-day.ts'
import { leaveLink, linkAll } from './link-day.ts'
import { operate } from './operator-day.ts'
import { lookAtPictures, reviewVerifications } from './review-day.ts'
import { pathOf, type Tenant, type TestService } from './service.ts'
import { exampleRequest, tour } from './tour.ts'
import { verifyAll } from './verification-day.ts'

const dayMs = 86_400_000
/** The sandbox endpoints that would delete the data that the others use. */
const ending = ['itemRemove', 'sandboxReset', 'sandboxClockAdvance']

/** Every example of a request, of the interface and of the sandbox API. */
const examples = written
  .map((name) => readBundle(name))
  .flatMap((contract) => {
    const paths = new Map(
      eachOperation(contract).map(({ path, operation }) => [operation.operationId, path]),
    )
    return eachExample(contract).flatMap(({ place, mediaType, value, operationId = '' }) =>
      place.endsWith(' request') &&
      mediaType === 'application/json' &&
      !ending.includes(operationId)
        ? [{ path: paths.get(operationId) ?? '', body: value }]
        : [],
    )
  })

/**
 * Lets a client do everything that there is to do, and time pass, so that each table has rows; `round` tells
 * one such day from another.
 */
export async function callEverything(
  service: TestService,
  client: Tenant,
  round: number,
): Promise<void> {
  rejectMost(service)
  await tour(client, async ({ operationId, body }) => {
    return (await client.post(pathOf(operationId), body)).body
  })
  await moveMoney(client)
  await client.control('sandboxClockAdvance', { seconds: (3 * dayMs) / 1000 })
  for (const [index, { path, body }] of examples.entries()) {
    await client.post(path, body, { 'Idempotency-Key': `${round}-${index}` })
  }
  await changeTransactions(client)
  await changeOthers(client, round)
  await tell(client)
  await operate(service, client, round)
  await readSources(service, client)
  await linkAll(service, client)
  await verifyAll(service, client)
  await lookAtDashboard(service, client)
  await reviewVerifications(service, client)
  await failForGood(service, client, round)
}

/** A job that was given up. */
async function failForGood({ service }: TestService, { clientId }: Tenant, round: number) {
  const job = { client_id: clientId, job_id: `dead-${round}`, kind: 'unknown', payload: '{}' }
  const failed_at = service.clock()
  await service.database.transaction((db) =>
    insertDeadJob(db, { ...job, attempts: 12, failed_at, error: 'Error' }),
  )
}

/** Of the webhooks some are taken, and most are tried again later. */
function rejectMost({ service }: TestService): void {
  let count = 0
  service.fetch = async () => {
    count += 1
    return new Response(null, { status: count % 4 === 0 ? 200 : 500 })
  }
}

async function tell(client: Tenant): Promise<void> {
  const access_token = await linkTold(client)
  const webhook = { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' } as const
  const { next_cursor: cursor } = await client.control('webhookListen', {})
  for (let count = 0; count < 12; count += 1)
    await client.control('sandboxItemFireWebhook', webhook)
  const { webhooks } = await client.control('webhookListen', { cursor })
  await client.control('webhookResend', { webhook_id: webhooks[0]?.webhook_id ?? '' })
  const tail = await client.control('requestsTail', {})
  await client.control('requestsTail', { cursor: tail.next_cursor })
  const calls = await client.control('sandboxRequestList', { count: 1 })
  await client.control('sandboxRequestList', { cursor: calls.next_cursor ?? '' })
  await client.control('sandboxClockAdvance', { seconds: 0 })
  await client.control('itemAccessTokenInvalidate', { access_token })
}

async function linkTold(client: Tenant): Promise<string> {
  const { public_token } = await client.control('sandboxPublicTokenCreate', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    // What is over is looked at again only when something of it is dated ahead.
    options: {
      webhook: 'https://lender.example.com/webhooks',
      transactions: { end_date: '2026-03-16' },
    },
  })
  return (await client.control('itemPublicTokenExchange', { public_token })).access_token
}

async function changeOthers(client: Tenant, round: number): Promise<void> {
  const name = `of-round-${round}`
  await client.control('sandboxInstitutionCreate', {
    institution_id: `ins_90100${round}`,
    name: 'Cinder Quay Credit Union',
    products: ['transactions'],
    country_codes: ['US'],
  })
  const [, , account_id = ''] = await listAccountIds(client)
  await client.control('sandboxAccountUpdate', {
    access_token: readyAccessToken,
    account_id,
    name,
  })
  const attempt = await client.post(pathOf('identityVerificationCreate'), {
    ...exampleRequest('identityVerificationCreate'),
    client_user_id: name,
  })
  const identity_verification_id = String(attempt.body['id'])
  const step = { identity_verification_id, outcome: 'success' } as const
  await client.control('sandboxIdentityVerificationAdvance', step)
  await client.control('sandboxErrorInject', { operation: '/accounts/get', delay_ms: 1, times: 2 })
  await client.post(pathOf('accountsGet'), { access_token: readyAccessToken })
  await client.control('sandboxErrorInject', { operation: '/asset_report/filter', delay_ms: 1 })
}

async function listAccountIds(client: Tenant): Promise<string[]> {
  const { accounts } = await client.api.accountsGet({ access_token: readyAccessToken }).orThrow()
  return accounts.map(({ account_id }) => account_id)
}

async function moveMoney(client: Tenant): Promise<void> {
  const [account_id = ''] = await listAccountIds(client)
  const { transfer } = await client.control('sandboxTransferCreate', {
    access_token: readyAccessToken,
    account_id,
    type: 'debit',
    network: 'ach',
    ach_class: 'web',
    amount: '12.00',
    description: 'Loan payment',
    user: { legal_name: 'Maren Talvik' },
  })
  const { id: transfer_id } = transfer
  await client.control('sandboxTransferSimulate', { transfer_id, event_type: 'posted' })
  await client.control('sandboxTransferSimulate', { transfer_id, event_type: 'settled' })
  await client.control('sandboxClockAdvance', { seconds: (12 * dayMs) / 1000 })
  const made = await client.post('/sandbox/transfer/refund/create', { transfer_id, amount: '1.00' })
  const { refund } = made.body as { refund?: { id: string } }
  if (!refund) throw new Error(JSON.stringify(made.body))
  await client.control('sandboxTransferRefundSimulate', {
    refund_id: refund.id,
    event_type: 'posted',
  })
}

async function changeTransactions(client: Tenant): Promise<void> {
  const access_token = readyAccessToken
  const { now } = await client.control('sandboxClockGet', {})
  const date = now.slice(0, 10)
  const { transaction_ids } = await client.control('sandboxTransactionsCreate', {
    access_token,
    transactions: [
      { amount: 5, date_posted: date, date_transacted: date, description: 'TEA', pending: true },
    ],
  })
  const [transaction_id = ''] = transaction_ids
  await client.control('sandboxTransactionsUpdate', { access_token, transaction_id, amount: 6 })
}

/** What pages of Items of imported seed data are read by. */
export async function readSeedData(
  service: TestService,
  { items, deep }: FilledDatabase,
): Promise<void> {
  for (const item of [...items.slice(0, 2), deep]) await readItem(service, item)
}

async function readItem(service: TestService, item: FilledItem): Promise<void> {
  const { access_token } = item
  const { api } = service.tenantOf(item.clientId, item.secret)
  const page = await api.transactionsSync({ access_token, count: 100 }).orThrow()
  const { accounts, next_cursor: cursor } = page
  await api.transactionsSync({ access_token, count: 100, cursor }).orThrow()
  const account_id = accounts[0]?.account_id ?? ''
  await api.transactionsSync({ access_token, account_id }).orThrow()
  const range = { start_date: '2020-01-01', end_date: '2030-01-01' }
  const options = { account_ids: [account_id] }
  await api.transactionsGet({ access_token, ...range }).orThrow()
  await api.transactionsGet({ access_token, ...range, options }).orThrow()
}

/** A few rows that will go. */
export async function leaveOld(service: TestService, client: Tenant): Promise<void> {
  await client.post(pathOf('oauthToken'), { grant_type: 'client_credentials' })
  await leaveLink(client)
  await lookAtPictures(service, client)
  await tell(client)
  await tell(client)
}

/** What processes do by themselves, once much of it is due. */
export async function workThrough({ service }: TestService, pruned: string): Promise<void> {
  const { database } = service
  const far = service.clock() + 10_000 * dayMs
  await listDueClients(database.single, far)
  await listDueEndpoints(database.single, far)
  await listClientsWithWork(database.single, service.clock())
  await listClientsAfter(database.single, '')
  await readQueues(database, service.clock())
  await countDeadJobs(database.single, mostCounted)
  const [dead] = await database.read((db) => listDeadJobs(db, 1))
  if (dead) await database.transaction((db) => reviveDeadJob(db, dead, far))
  await pruneClient({ ...service, clock: () => service.clock() + 100 * dayMs }, pruned)
}
