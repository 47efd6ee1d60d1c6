import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../generated/dashboard/operations.ts'
import { currentVersion } from '../../generated/versions.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { databaseFile } from '../../src/server/config/data-folder.ts'
import { givenKey } from '../../src/server/config/encryption-key.ts'
import { openKeys } from '../../src/server/data-keys/open-keys.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { usualKeptCalls } from '../../src/server/kernel/kept-calls.ts'
import { toTimestamp } from '../../src/server/kernel/time.ts'
import {
  countCalls,
  insertBatch,
  type KeptCall,
} from '../../src/server/pipeline/request-log-store.ts'
import { askAt } from './cases.ts'
import { createDatabase } from './database.ts'
import { type FilledDatabase, fillDatabase, linkTemplates } from './fill-database.ts'
import { fillLists } from './fill-lists.ts'
import type { Level } from './levels.ts'
import { requireSuccess } from './load.ts'
import { type Received, type Sending, send } from './send.ts'
import { encryptionKey, startService } from './service.ts'
import type { Stage } from './stage.ts'
import { percentile } from './statistics.ts'

// What the pages of the dashboard ask for, behind long lists of calls and of transactions.

export interface Dashboard {
  calls: number
  transactions: number
  rows: { store: Store; name: string; p50: number; p95: number }[]
}

type Store = 'sqlite' | 'postgres'
type OperationId = keyof typeof operations
type Page = [name: string, id: OperationId, body: object]

const inRow = 200
const asked = 100
const hourMs = 3_600_000

/** Measures each operation, one request after the other, on both stores. */
export async function measureDashboard(
  stage: Pick<Stage, 'dist' | 'folder' | 'database'>,
  calls: number,
  transactions: number,
  tell: (line: string) => void,
): Promise<Dashboard> {
  const rows: Dashboard['rows'] = []
  for (const store of ['sqlite', 'postgres'] as const) {
    if (store === 'postgres' && !(await stage.database())) continue
    tell(`dashboard on ${store}: ${calls} calls and ${transactions} transactions`)
    rows.push(...(await measureStore(store, stage, { calls, transactions })))
  }
  return { calls, transactions, rows }
}

async function measureStore(
  store: Store,
  { dist, folder }: Pick<Stage, 'dist' | 'folder'>,
  sizes: { calls: number; transactions: number },
): Promise<Dashboard['rows']> {
  const own = join(folder, `dashboard-${store}`)
  mkdirSync(own, { recursive: true })
  const created = store === 'postgres' ? await createDatabase() : undefined
  const plan = { dist, folder: own, ...(created && { databaseUrl: created.url }) }
  try {
    const first = await startService({ ...plan, name: 'first-start' })
    const templates = await prepareTemplates(first.url, sizes.transactions).finally(first.stop)
    const database = await (created
      ? openPostgres(created.url)
      : openSqlite(databaseFile(join(own, 'data'))))
    const filled = await fill(database, templates, sizes).finally(() => database.close())
    const service = await startService({ ...plan, name: 'dashboard' })
    return await measurePages(store, service.url, filled).finally(service.stop)
  } finally {
    await created?.remove()
  }
}

/** Items to copy, and a report, of which the default data set has none. */
async function prepareTemplates(url: string, transactions: number): Promise<string[]> {
  const report = { access_tokens: [readyAccessToken], days_requested: 10 }
  await askAt(url)('/asset_report/create', report)
  return linkTemplates(url, transactions)
}

async function fill(
  database: Database,
  templates: readonly string[],
  sizes: { calls: number; transactions: number },
): Promise<FilledDatabase> {
  const keys = await openKeys(database, givenKey(encryptionKey, undefined))
  const size = sizes.transactions
  const filled = await fillDatabase({ database, keys, templates, size })
  const { clientId } = filled.deep
  const own = filled.items.filter((item) => item.clientId === clientId)
  const itemIds = (own.length > 0 ? own : [filled.deep]).map(({ item_id }) => item_id)
  for (let done = 0; done < sizes.calls; done += inRow) {
    const calls = Array.from({ length: inRow }, (_, index) => callAt(done + index, itemIds))
    const batch = { clientId, calls, bodies: null, mostKept: usualKeptCalls.count, now: Date.now() }
    await database.transaction(async (db) => {
      await insertBatch(db, batch)
      await countCalls(db, clientId, calls)
    })
  }
  await fillLists(database, clientId, sizes.calls)
  await database.analyze?.()
  return filled
}

/** Few operations, one failure in a hundred calls, and a rare one. */
function callAt(number: number, itemIds: readonly string[]): KeptCall {
  const status = number % 100 === 0 ? 400 : 200
  const isRare = number === 17
  return {
    sequence: number + 1,
    at: toTimestamp(Date.now() - hourMs * (1 + (number % 20))),
    request_id: number === 17 ? 'a1b2c3d4e5f6g7h' : randomBytes(12).toString('hex').slice(0, 15),
    operation_id: isRare ? 'walletCreate' : 'transactionsSync',
    path: isRare ? '/wallet/create' : '/transactions/sync',
    version: currentVersion,
    status,
    error_code: status === 200 ? null : 'INVALID_FIELD',
    duration_ms: 3,
    item_id: itemIds[number % itemIds.length] ?? null,
    resent_from: null,
    injected: null,
  }
}

async function measurePages(store: Store, url: string, { deep, items }: FilledDatabase) {
  const cookie = await signIn(url)
  const item_id = deep.item_id
  const found = await ask(url, cookie, 'dashboardItemGet', { client_id: deep.clientId, item_id })
  const { accounts } = (await found.json()) as { accounts: { account_id: string }[] }
  const account_id = accounts[0]?.account_id
  const other = items.find(({ clientId }) => clientId === deep.clientId) ?? deep
  const pages: Page[] = [
    ['overview', 'dashboardOverviewGet', {}],
    ['requests', 'dashboardRequestList', {}],
    ['requests that failed', 'dashboardRequestList', { outcome: 'failed' }],
    ['requests of a rare operation', 'dashboardRequestList', { operation_id: 'walletCreate' }],
    ['requests about an Item', 'dashboardRequestList', { item_id: other.item_id, count: 10 }],
    [
      'requests of which there are none',
      'dashboardRequestList',
      { error_code: 'PLANNED_MAINTENANCE' },
    ],
    ['the first of all requests', 'dashboardRequestGet', { id: 'a1b2c3d4e5f6g7h' }],
    ['Items', 'dashboardItemList', {}],
    ['unhealthy Items', 'dashboardItemList', { health: 'unhealthy' }],
    ['find an Item by its token', 'dashboardItemFind', { text: other.access_token }],
    ['an Item with a long history', 'dashboardItemGet', { item_id }],
    ['its transactions', 'dashboardItemTransactionList', { item_id }],
    ['of one account', 'dashboardItemTransactionList', { item_id, account_id }],
    ['its balances by day', 'dashboardItemBalanceList', { item_id, account_id }],
    ['webhooks', 'dashboardWebhookList', {}],
    ['identity verifications', 'dashboardVerificationList', {}],
    ['all identity verifications', 'dashboardVerificationList', { show: 'all' }],
    ['reports', 'dashboardReportList', {}],
    ['reports that failed', 'dashboardReportList', { status: 'failed' }],
    ['wallets', 'dashboardWalletList', {}],
    ['closed wallets', 'dashboardWalletList', { status: 'CLOSED' }],
    ['transfers', 'dashboardTransferList', {}],
    ['returned transfers', 'dashboardTransferList', { status: 'returned' }],
    ['bank transfers', 'dashboardBankTransferList', {}],
    ['what happens next', 'dashboardUpcomingList', { count: 10 }],
    ['seed data', 'dashboardSeedDataGet', {}],
    ['users', 'dashboardEndUserList', {}],
    ['institutions', 'dashboardInstitutionList', {}],
    ['institutions by name', 'dashboardInstitutionList', { name: 'bank' }],
    ['team', 'dashboardTeamList', {}],
    ['audit log', 'dashboardAuditList', {}],
    ['audit log of a person', 'dashboardAuditList', { actor: 'operator:rare' }],
    ['audit log of an action', 'dashboardAuditList', { action: 'client.rotate-secret' }],
    ['audit log of an object', 'dashboardAuditList', { subject: 'rare-object' }],
    ['audit log of a time', 'dashboardAuditList', { to: toTimestamp(Date.now() - 90 * hourMs) }],
  ]
  const rows: Dashboard['rows'] = []
  for (const [name, id, body] of pages) {
    const request = toSending(url, cookie, id, { client_id: deep.clientId, ...body })
    const load = { urls: [url], requests: [request], seconds: 60, connections: 1 }
    requireSuccess(name, await send({ ...load, most: 5 }))
    const times: number[] = []
    const note = ({ at, due }: Received) => void times.push(at - due)
    requireSuccess(name, await send({ ...load, most: asked }, note))
    rows.push({ store, name, p50: percentile(times, 0.5), p95: percentile(times, 0.95) })
  }
  return rows
}

const headersOf = (cookie: string) => ({
  'Content-Type': 'application/json',
  'Sec-Fetch-Site': 'same-origin',
  ...(cookie === '' ? {} : { Cookie: cookie }),
})

const toSending = (_url: string, cookie: string, id: OperationId, body: object): Sending => ({
  path: operations[id].path,
  headers: headersOf(cookie),
  body: JSON.stringify(body),
})

async function ask(url: string, cookie: string, id: OperationId, body: object): Promise<Response> {
  const { path, headers, body: text } = toSending(url, cookie, id, body)
  const response = await fetch(url + path, { method: 'POST', headers, body: text })
  if (response.status !== 200) throw new Error(`${id}: ${await response.text()}`)
  return response
}

/** The user of this machine. */
async function signIn(url: string): Promise<string> {
  const { headers } = await ask(url, '', 'dashboardSessionBegin', {})
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

export const dashboardLevels = ({ rows }: Dashboard): Level[] =>
  rows.map(({ store, name, p95 }) => ({
    what: `dashboard on ${store}, ${name}, p95 ms`,
    value: p95,
    first: 100,
    atMost: true,
  }))
