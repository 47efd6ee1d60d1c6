import { defaultFeatures } from '../../src/server/clients/client.ts'
import { insertClient } from '../../src/server/clients/store.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { clientTables } from '../../src/server/db/client-tables.ts'
import type { Database, Queries, Value } from '../../src/server/kernel/database.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import type { Keys } from '../../src/server/kernel/keys.ts'
import { addDays, toDate } from '../../src/server/kernel/time.ts'
import { createOpened } from '../../src/testing/opened.ts'
import { createTenant } from '../../src/testing/tenant.ts'

// Makes a database large: a few Items are linked through the service, and their rows are copied by
// SQL within the database, each copy under ids and an access token of its own.

/** The credentials of an Item's client. */
export interface FilledClient {
  clientId: string
  secret: string
}

export interface FilledItem extends FilledClient {
  item_id: string
  access_token: string
  transactions: number
}

/** Items of several clients, and one that holds a large share of all transactions. */
export interface FilledDatabase {
  items: FilledItem[]
  deep: FilledItem
  transactions: number
}

export interface Progress {
  done: number
  total: number
}

/** The tables that hold an Item whose history is complete. */
export const itemTables = ['items', 'accounts', 'transactions'] as const

type Row = Record<string, Value>
type ItemTable = (typeof itemTables)[number]

const clientCount = 4
const deepShare = 0.1
const mostDeep = 100_000
const longestHistory = 730
/** One more template is linked for so many transactions. */
const perTemplate = 10_000
const mostTemplates = 32

/** Links the Items that are copied, through a service with the default data set; returns their ids. */
export async function linkTemplates(baseUrl: string, size: number): Promise<string[]> {
  const [{ clientId, secret }] = wellKnownClients
  const { linkItem } = createTenant(
    { baseUrl, clientId, secret, version: undefined },
    createOpened(),
  )
  // The history ends yesterday, so the service does nothing more for these Items.
  const end_date = addDays(toDate(new Date().toISOString()), -1)
  const transactions = { days_requested: longestHistory, end_date }
  const ids: string[] = []
  const count = Math.min(mostTemplates, 3 + Math.ceil(size / perTemplate))
  while (ids.length < count) ids.push((await linkItem({ transactions })).item_id)
  return ids
}

export interface Filling {
  /** Migrated, with the Items in it, and used by no running service. */
  database: Database
  keys: Keys
  templates: readonly string[]
  /** How many transactions the copies have in all; the last copy may exceed it. */
  size: number
  onProgress?: (progress: Progress) => void
}

/** Copies the templates until there are so many transactions, and removes the templates. */
export async function fillDatabase(filling: Filling): Promise<FilledDatabase> {
  const { database, keys, size, onProgress } = filling
  const clients = await insertClients(database, keys)
  const templates = await Promise.all(filling.templates.map((id) => readTemplate(database, id)))
  let written = 0
  const copy = async (index: number, least: number): Promise<FilledItem> => {
    const template = templates[index % templates.length] as Template
    const client = clients[index % clients.length] as FilledClient
    const item = await copyItem(database, { template, client, keys, least })
    written += item.transactions
    onProgress?.({ done: written, total: size })
    return item
  }
  const deep = await copy(0, Math.min(mostDeep, size * deepShare))
  const items: FilledItem[] = []
  while (written < size) items.push(await copy(items.length, 1))
  await database.transaction(async ({ run }) => {
    for (const { itemId } of templates) {
      for (const table of itemTables) await run(`delete from ${table} where item_id = $1`, [itemId])
    }
  })
  await database.analyze?.()
  return { items, deep, transactions: written }
}

async function insertClients(database: Database, keys: Keys): Promise<FilledClient[]> {
  const clients = Array.from({ length: clientCount }, () => ({
    clientId: newId('client', 'sandbox'),
    secret: newId('secret', 'sandbox'),
  }))
  await database.transaction(async (db) => {
    for (const { clientId, secret } of clients) {
      await insertClient(db, {
        client_id: clientId,
        client_name: null,
        secret_hash: keys.hash(secret),
        public_key: null,
        default_version: null,
        features: defaultFeatures,
        created_at: new Date().toISOString(),
      })
    }
  })
  return clients
}

/** A linked Item as it is copied. */
interface Template {
  itemId: string
  columns: Record<ItemTable, string[]>
  transactions: number
  /** How many changes its transactions have had. */
  changes: number
}

export async function readTemplate(database: Database, itemId: string): Promise<Template> {
  const read = (table: string) =>
    database.single.all<Row>(`select * from ${table} where item_id = $1`, [itemId])
  const [[item = {}], [account = {}], transactions] = (await Promise.all(itemTables.map(read))) as [
    Row[],
    Row[],
    Row[],
  ]
  await requireNothingElse(database.single, itemId)
  return {
    itemId,
    columns: {
      items: Object.keys(item),
      accounts: Object.keys(account),
      transactions: Object.keys(transactions[0] ?? {}),
    },
    transactions: transactions.length,
    changes: Number(item['transactions_sequence']),
  }
}

/** Rows of the Item in other tables would be missing in its copies. */
async function requireNothingElse(db: Queries, itemId: string): Promise<void> {
  const known: readonly string[] = itemTables
  for (const table of clientTables.filter((name) => !known.includes(name))) {
    const rows = await db.all<Row>(`select * from ${table}`)
    if (JSON.stringify(rows.map((row) => Object.values(row).map(String))).includes(itemId)) {
      throw new Error(`a linked Item has rows in ${table}, which are not copied`)
    }
  }
}

export interface Copy {
  template: Template
  client: FilledClient
  keys: Keys
  /** The fewest transactions: the template's are repeated until there are so many. */
  least: number
}

const kept = 29
/** A new id: the first characters of the template's, and a suffix of the copy's own. */
const renamed = (column: string, suffix: string): string =>
  `substr(${column}, 1, ${kept}) || ${suffix}`

const replaced = (text: string, column: string, suffix: string): string =>
  `replace(${text}, ${column}, ${renamed(column, suffix)})`

/**
 * What a copied row has in each column; the others stay as they are. A document keeps the id of a
 * pending transaction that was replaced: the service shows no such transaction.
 */
const expressions: Record<string, string> = {
  client_id: '$2',
  item_id: renamed('item_id', '$3'),
  account_id: renamed('account_id', '$3'),
  access_token_hash: '$4',
  transaction_id: renamed('transaction_id', '$4'),
  document: replaced(replaced('document', 'transaction_id', '$4'), 'account_id', '$3'),
  insertion: 'insertion + $5',
  first_sequence: 'first_sequence + $5',
  added_sequence: 'added_sequence + $5',
  last_sequence: 'last_sequence + $5',
  transactions_sequence: 'transactions_sequence + $5',
}

/** Writes one copy of a template. */
export async function copyItem(database: Database, copy: Copy): Promise<FilledItem> {
  const { template, client, keys, least } = copy
  const { itemId, columns, transactions, changes } = template
  const access_token = newId('access_token', 'sandbox')
  const suffix = newSuffix()
  const turns = Math.ceil(least / transactions)
  const insert = ({ run }: Queries, table: ItemTable, ...more: Value[]) => {
    const values = columns[table].map((column) => expressions[column] ?? column)
    const select = `select ${values.join(', ')} from ${table} where item_id = $1`
    const shared = [itemId, client.clientId, suffix]
    return run(`insert into ${table} (${columns[table].join(', ')}) ${select}`, [
      ...shared,
      ...more,
    ])
  }
  for (let turn = 0; turn < turns; turn += 1) {
    await database.transaction((db) => insert(db, 'transactions', newSuffix(), turn * changes))
  }
  await database.transaction(async (db) => {
    await insert(db, 'accounts')
    await insert(db, 'items', keys.hash(access_token), (turns - 1) * changes)
  })
  const item_id = itemId.slice(0, kept) + suffix
  return { ...client, item_id, access_token, transactions: turns * transactions }
}

const newSuffix = (): string => newId('opaque', 'sandbox').slice(kept)
