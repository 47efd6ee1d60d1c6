import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsOf, fill, toStencil } from '../../scripts/bench/load-copy.ts'
import { openSink } from '../../scripts/bench/load-sink.ts'
import {
  type ItemTable,
  itemTables,
  linkTemplates,
  type Row,
  type Templates,
} from '../../scripts/bench/load-template.ts'
import {
  insertClients,
  type LoadedItem,
  type LoadedWorld,
  loadSeedData,
  type Progress,
} from '../../scripts/bench/load-world.ts'
import { encryptedColumns } from '../../src/server/data-keys/encrypted-columns.ts'
import { createKeys, type Keys } from '../../src/server/kernel/keys.ts'
import { createPlace, openPlace, type Place } from '../support/engine.ts'
import { startService, type TestService } from '../support/service.ts'
import { idsOf } from '../support/transactions-fixtures.ts'

// What fills large worlds must write what the service writes.

const keys = createKeys(new Uint8Array(32).fill(7))
let place: Place
let templates: Templates
let world: LoadedWorld
let service: TestService
const progress: Progress[] = []

beforeAll(async () => {
  place = await createPlace()
  const database = await openPlace(place.address)
  await (await startService({ database, keys })).close()
  templates = await linkTemplates(1)
  await copyOnce(templates)
  const open = await openPlace(place.address)
  const clients = await insertClients(open, keys)
  await open.close()
  const sink = await openSink(place.address)
  const onProgress = (one: Progress) => void progress.push(one)
  world = await loadSeedData({ sink, keys, clients, size: 30_000, onProgress })
  await sink.close()
  service = await startService({ database: await openPlace(place.address), keys })
})
afterAll(async () => {
  await service?.close()
  await place?.remove()
})

const accessToken = 'access-sandbox-copied'

/** Writes a copy of the first template that has its ids and its client. */
async function copyOnce({ all, keys: own }: Templates): Promise<void> {
  const [template] = all
  if (!template) throw new Error('there is no template')
  const { ids, tables } = toStencil(template, own)
  const clientId = String(template.items[0]?.['client_id'])
  const sink = await openSink(place.address)
  for (const table of itemTables) {
    const rows = fill(tables[table], { clientId, accessToken, keys, ids, before: 0 })
    await sink.write(table, columnsOf(template)[table], rows)
  }
  await sink.close()
}

/** Rows with what was encrypted in the clear, in the order of their text. */
const toPlain = (table: ItemTable, rows: readonly Row[], own: Keys): string[] =>
  rows
    .map(({ access_token_hash: _, ...row }) => {
      const { columns = [] } = encryptedColumns.find((one) => one.table === table) ?? {}
      const opened = columns.map((column) => {
        const value = row[column]
        return [column, value == null ? null : own.decrypt(String(value))]
      })
      return JSON.stringify({ ...row, ...Object.fromEntries(opened) })
    })
    .sort()

const readAll = (table: ItemTable, clientId: string): Promise<Row[]> =>
  service.service.database.read((db) =>
    db.all<Row>(`select * from ${table} where client_id = $1`, [clientId]),
  )

describe('a copy of an Item', () => {
  test.each(itemTables)('is stored in %s as the service has stored the Item', async (table) => {
    const linked = templates.all[0]?.[table] ?? []
    const copied = await readAll(table, String(linked[0]?.['client_id']))
    expect(copied.length).toBeGreaterThan(0)
    expect(toPlain(table, copied, keys)).toEqual(toPlain(table, linked, templates.keys))
  })

  test('is found by its own token', async () => {
    const [row] = await readAll('items', String(templates.all[0]?.items[0]?.['client_id']))
    expect(row?.['access_token_hash']).toBe(keys.hash(accessToken))
  })
})

async function readHistory(item: LoadedItem) {
  const { api } = service.tenantOf(item.clientId, item.secret)
  const { access_token } = item
  const { accounts } = await api.accountsGet({ access_token }).orThrow()
  await api.identityGet({ access_token }).orThrow()
  await api.liabilitiesGet({ access_token }).orThrow()
  const ids: string[] = []
  const places = new Set<string>()
  let cursor = ''
  for (let hasMore = true; hasMore; ) {
    const page = await api.transactionsSync({ access_token, cursor, count: 500 }).orThrow()
    ids.push(...idsOf(page.added))
    for (const { account_id } of page.added) places.add(account_id)
    cursor = page.next_cursor
    hasMore = page.has_more
  }
  return { ids, places, accounts: accounts.map(({ account_id }) => account_id) }
}

describe('a loaded world', () => {
  test('holds as many transactions as were asked for, and says how far it got', async () => {
    expect(world.transactions).toBeGreaterThanOrEqual(30_000)
    const all = [world.deep, ...world.items]
    const sum = all.reduce((total, { transactions }) => total + transactions, 0)
    expect(sum).toBe(world.transactions)
    expect(progress.at(-1)).toMatchObject({ done: world.transactions, total: 30_000 })
  })

  test('answers for each Item with ids that no other has', async () => {
    const [first, other] = await Promise.all(world.items.slice(0, 2).map(readHistory))
    const ids = [...(first?.ids ?? []), ...(other?.ids ?? [])]
    expect(ids.length).toBeGreaterThan(2000)
    expect(new Set(ids).size).toBe(ids.length)
    expect(first?.accounts).not.toEqual(other?.accounts)
  })

  test('has an Item with a large share, whose changes have numbers of their own', async () => {
    const { ids, places, accounts } = await readHistory(world.deep)
    const rows = await readAll('transactions', world.deep.clientId)
    const numbers = rows.flatMap(({ account_id, last_sequence }) =>
      accounts.includes(String(account_id)) && last_sequence !== null ? [last_sequence] : [],
    )
    expect(world.deep.transactions).toBeGreaterThanOrEqual(3000)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(new Set(ids).size).toBe(numbers.length)
    expect(accounts).toEqual(expect.arrayContaining([...places]))
  })

  test('goes on as one that was linked', async () => {
    const [item] = world.items
    if (!item) throw new Error('there is no Item')
    const { access_token } = item
    const tenant = service.tenantOf(item.clientId, item.secret)
    const { next_cursor } = await tenant.api
      .transactionsSync({ access_token, cursor: 'now' })
      .orThrow()
    await tenant.control('sandboxTransactionsCreate', {
      access_token,
      transactions: [
        { amount: 5, date_posted: yesterday(), date_transacted: yesterday(), description: 'TEA' },
      ],
    })
    await tenant.api.transactionsRefresh({ access_token }).orThrow()
    const page = await tenant.api.transactionsSync({ access_token, cursor: next_cursor }).orThrow()
    expect(page.added.map(({ amount }) => amount)).toEqual([5])
  })
})

const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
