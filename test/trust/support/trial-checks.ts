import { wellKnownClients } from '../../../src/server/clients/well-known-clients.ts'
import type { Received } from '../../support/receiver.ts'
import type { Ground } from './trial-ground.ts'
import type { Ledger } from './trial-ledger.ts'
import { transactionsAtOnce } from './trial-writes.ts'

/** Reads a store without other writers, by statements that both engines know. */
export type ReadAll = (sql: string) => Promise<Record<string, unknown>[]>

const [{ clientId }] = wellKnownClients

/** What was acknowledged and is not there. */
export async function findLost(all: ReadAll, ledger: Ledger, ground: Ground): Promise<string[]> {
  const idsOf = async (table: string, column: string) =>
    new Set((await all(`select ${column} as id from ${table}`)).map(({ id }) => String(id)))
  const lost: string[] = []
  for (const [table, column, ids] of [
    ['wallets', 'wallet_id', ledger.wallets],
    ['users', 'user_id', ledger.users],
    ['asset_reports', 'asset_report_id', ledger.reports.keys()],
    ['transactions', 'transaction_id', ledger.transactions],
    ['bank_transfer_events', 'bank_transfer_id', ledger.bankTransfers],
    ['refunds', 'refund_id', ledger.refunds],
    ['items', 'item_id', ledger.items.keys()],
  ] as const) {
    const stored = await idsOf(table, column)
    for (const id of ids) if (!stored.has(id)) lost.push(`${table} ${id}`)
  }
  const [fired] = await all(
    `select count(*) as found from webhook_deliveries
      where client_id = '${clientId}' and webhook_code = 'NEW_ACCOUNTS_AVAILABLE'`,
  )
  if (Number(fired?.['found']) < ledger.fired.answered) lost.push('webhooks that were fired')
  const [wallet] = await all(
    `select current, available from wallets where wallet_id = '${ground.walletId}'`,
  )
  if (wallet?.['current'] !== wallet?.['available']) lost.push('one of two balances')
  const balance = Number(wallet?.['current']) / 100
  if (balance < ledger.moved.answered) lost.push(`money: ${balance} of ${ledger.moved.answered}`)
  if (balance > ledger.moved.asked) lost.push(`money came twice: ${balance}`)
  return lost
}

/** The Items that the load has linked, beside those of the seed data. */
const ofLoad = "i.webhook like 'http://127.0.0.1:%'"

/**
 * What one transaction writes together, and how a part of it alone would look: each statement finds
 * what is torn.
 */
const torn: Readonly<Record<string, string>> = {
  'an Item whose changes have no numbers of their own': `
    select i.item_id from items i join
        (select client_id, item_id, count(*) as found, count(distinct last_sequence) as numbers,
            max(last_sequence) as last
          from transactions where last_sequence is not null group by client_id, item_id) t
      on t.client_id = i.client_id and t.item_id = i.item_id
      where t.found <> t.numbers or t.last > i.transactions_sequence`,
  'an Item without accounts': `
    select item_id from items i where ${ofLoad} and not exists
      (select 1 from accounts a where a.client_id = i.client_id and a.item_id = i.item_id)`,
  'webhooks with gaps': `
    select client_id from
        (select client_id, count(*) as found, max(sequence) as last from webhook_deliveries
          group by client_id) d
      where found <> last`,
  'a webhook that was delivered by no attempt': `
    select webhook_id from webhook_deliveries d where status = 'delivered' and not exists
      (select 1 from webhook_attempts a
        where a.client_id = d.client_id and a.webhook_id = d.webhook_id and a.succeeded = 1)`,
  'an attempt that nothing was noted of': `
    select d.webhook_id from webhook_deliveries d
        join webhook_attempts a on a.client_id = d.client_id and a.webhook_id = d.webhook_id
      where d.status = 'pending' and a.succeeded = 1`,
  'events of bank transfers with gaps': `
    select e.client_id from
        (select client_id, count(*) as found, max(event_id) as last from bank_transfer_events
          group by client_id) e
      join bank_transfer_counters k on k.client_id = e.client_id
      where found <> last or last <> last_event_id`,
  'a transfer that counts its refunds wrong': `
    select t.transfer_id from transfers t where t.refund_count <>
      (select count(*) from refunds r
        where r.client_id = t.client_id and r.transfer_id = t.transfer_id)`,
}

/** Writes of which only a part is there. */
export async function findHalfWrites(all: ReadAll, { itemId }: Ground): Promise<string[]> {
  const found: string[] = []
  for (const [what, sql] of Object.entries(torn)) {
    const rows = await all(sql)
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return [...found, ...(await findTornCreations(all, itemId)), ...(await findTornReports(all))]
}

/** Transactions that one call creates come all or none, and with the webhook that tells them. */
async function findTornCreations(all: ReadAll, itemId: string): Promise<string[]> {
  const rows = await all(
    `select document from transactions where item_id = '${itemId}' and document like '%TRIAL%'`,
  )
  const groups = Map.groupBy(rows, ({ document }) => /TRIAL [\d-]+/.exec(String(document))?.[0])
  const torn = [...groups].filter(([, { length }]) => length !== transactionsAtOnce)
  const told = await all(
    `select body from webhook_deliveries
      where item_id = '${itemId}' and webhook_code = 'DEFAULT_UPDATE'`,
  )
  return [
    ...torn.map(([name, { length }]) => `${length} of ${name}`),
    ...(told.length === groups.size ? [] : [`${groups.size} creations, ${told.length} told`]),
  ]
}

/** A report waits with its job, or is done and announced, once. */
async function findTornReports(all: ReadAll): Promise<string[]> {
  const idIn = (text: unknown) => String(JSON.parse(String(text))['asset_report_id'])
  const waiting = new Set(
    (await all("select payload from jobs where kind = 'assetReportMake'")).map(({ payload }) =>
      idIn(payload),
    ),
  )
  const told = Map.groupBy(
    await all("select body from webhook_deliveries where webhook_code = 'PRODUCT_READY'"),
    ({ body }) => idIn(body),
  )
  const reports = await all(
    'select asset_report_id, status from asset_reports where webhook is not null',
  )
  return reports.flatMap(({ asset_report_id, status }) => {
    const id = String(asset_report_id)
    const times = told.get(id)?.length ?? 0
    const isWhole =
      status === 'pending' ? waiting.has(id) && times === 0 : !waiting.has(id) && times === 1
    return isWhole ? [] : [`the report ${id} is ${status}, told ${times} times`]
  })
}

/** Events that were written and have not arrived, each as often as it was written. */
export async function findUndelivered(
  all: ReadAll,
  received: readonly Received[],
): Promise<string[]> {
  const keyOf = (path: string, body: string) => `${path} ${body}`
  const arrived = new Map<string, number>()
  for (const { path, body } of received) {
    const key = keyOf(path, String(body))
    arrived.set(key, (arrived.get(key) ?? 0) + 1)
  }
  const rows = await all(
    "select url, body from webhook_deliveries where url like 'http://127.0.0.1:%'",
  )
  const written = Map.groupBy(rows, ({ url, body }) =>
    keyOf(new URL(String(url)).pathname, String(body)),
  )
  return [...written]
    .filter(([key, { length }]) => (arrived.get(key) ?? 0) < length)
    .map(([key, { length }]) => `${arrived.get(key) ?? 0} of ${length}: ${key}`)
}
