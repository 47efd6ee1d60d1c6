import { defaultFeatures } from '../../src/server/clients/client.ts'
import { insertClient } from '../../src/server/clients/store.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import type { Keys } from '../../src/server/kernel/keys.ts'
import { toStencil } from './load-copy.ts'
import type { Sink } from './load-sink.ts'
import { linkTemplates } from './load-template.ts'
import { createWriter } from './load-writer.ts'

/** Who has a part of the world. */
export interface LoadedClient {
  clientId: string
  secret: string
}

export interface LoadedItem extends LoadedClient {
  access_token: string
  transactions: number
}

/** Items of several clients, and one that holds a large share of all transactions. */
export interface LoadedWorld {
  items: LoadedItem[]
  deep: LoadedItem
  transactions: number
}

/** How far it has got. */
export interface Progress {
  done: number
  total: number
  perSecond: number
  secondsLeft: number
}

const clientCount = 4
const mostTemplates = 32
const deepShare = 0.1
const deepest = 100_000
/** For so many transactions another template is linked. */
const perTemplate = 10_000
const fewestTemplates = 3

/** Writes the clients of a world; on a store that is up to date. */
export async function insertClients(database: Database, keys: Keys): Promise<LoadedClient[]> {
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

export interface Loading {
  sink: Sink
  keys: Keys
  clients: readonly LoadedClient[]
  /** How many transactions there are to be; a few more come of the last Item. */
  size: number
  onProgress?: (progress: Progress) => void
}

/** Fills the tables with copies of Items that a service has stored. */
export async function loadSeedData(loading: Loading): Promise<LoadedWorld> {
  const { size, clients } = loading
  const wanted = fewestTemplates + Math.ceil(size / perTemplate)
  const templates = await linkTemplates(Math.min(mostTemplates, wanted))
  const [first, ...others] = templates.all.map((template) => toStencil(template, templates.keys))
  const [client] = clients
  if (!first || !client) throw new Error('there is nobody to load anything for')
  const stencils = [first, ...others] as const
  const writer = createWriter(loading, templates.all)
  const deepSize = Math.min(deepest, size * deepShare)
  const deep = await writer.copy(client, stencils, deepSize)
  const items: LoadedItem[] = []
  while (writer.written() < size) {
    const owner = clients[items.length % clients.length] ?? client
    const stencil = stencils[items.length % stencils.length] ?? first
    items.push(await writer.copy(owner, [stencil], 1))
  }
  await writer.finish()
  return { items, deep, transactions: writer.written() }
}
