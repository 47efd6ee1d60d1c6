import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  copyItem,
  type FilledDatabase,
  type FilledItem,
  fillDatabase,
  itemTables,
  linkTemplates,
  type Progress,
  readTemplate,
} from '../../scripts/bench/fill-database.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { createPlace, openPlace, type Place } from '../support/engine.ts'
import { startService, startWorld, type TestService, wellKnownClients } from '../support/service.ts'
import { idsOf } from '../support/transactions-fixtures.ts'

// What makes databases large must write what the service writes.

type Row = Record<string, unknown>

const keys = createKeys(new Uint8Array(32).fill(7))
const [owner] = wellKnownClients
let place: Place
let linked: Record<string, Row[]>
let copied: FilledItem
let filled: FilledDatabase
let service: TestService
const progress: Progress[] = []

beforeAll(async () => {
  place = await createPlace()
  const world = await startWorld({ database: await openPlace(place.address), keys })
  const templates = await linkTemplates(
    await world.app.listen({ port: 0, host: '127.0.0.1' }),
    30_000,
  )
  await world.close()
  const database = await openPlace(place.address)
  const [first = ''] = templates
  const template = await readTemplate(database, first)
  linked = await readAll(database, first)
  copied = await copyItem(database, { template, client: owner, keys, least: 1 })
  const onProgress = (one: Progress) => void progress.push(one)
  filled = await fillDatabase({ database, keys, templates, size: 30_000, onProgress })
  await database.close()
  service = await startService({ database: await openPlace(place.address), keys })
})
afterAll(async () => {
  await service?.close()
  await place?.remove()
})

async function readAll(database: Database, itemId: string): Promise<Record<string, Row[]>> {
  const all: Record<string, Row[]> = {}
  for (const table of itemTables) {
    all[table] = await database.single.all<Row>(`select * from ${table} where item_id = $1`, [
      itemId,
    ])
  }
  return all
}

const opaque = /\b([A-Za-z0-9]{29})[A-Za-z0-9]{8}\b/g

/** Rows without what a copy has of its own, in the order of their text. */
const comparable = (rows: readonly Row[] = []): string[] =>
  rows
    .map(({ access_token_hash: _, ...row }) => JSON.stringify(row).replaceAll(opaque, '$1'))
    .sort()

describe('a copy of an Item', () => {
  test.each(itemTables)('is stored in %s as the service has stored the Item', async (table) => {
    const rows = (await readAll(service.service.database, copied.item_id))[table]
    expect(rows?.length).toBeGreaterThan(0)
    expect(comparable(rows)).toEqual(comparable(linked[table]))
  })

  test('has ids of its own', async () => {
    const rows = Object.values(linked).flat()
    const known = new Set<unknown>(
      rows.flatMap((row) => [row['item_id'], row['account_id'], row['transaction_id']]),
    )
    const text = JSON.stringify(await readAll(service.service.database, copied.item_id))
    const left = (text.match(/\b[A-Za-z0-9]{37}\b/g) ?? []).filter((id) => known.has(id))
    expect(left).toEqual([])
  })

  test('is found by its own token', async () => {
    const { items } = await readAll(service.service.database, copied.item_id)
    expect(items?.[0]?.['access_token_hash']).toBe(keys.hash(copied.access_token))
  })
})

async function readHistory(item: FilledItem) {
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

describe('a large database', () => {
  test('holds as many transactions as were asked for, and says how far it got', async () => {
    expect(filled.transactions).toBeGreaterThanOrEqual(30_000)
    const all = [filled.deep, ...filled.items]
    const sum = all.reduce((total, { transactions }) => total + transactions, 0)
    expect(sum).toBe(filled.transactions)
    expect(progress.at(-1)).toMatchObject({ done: filled.transactions, total: 30_000 })
  })

  test('answers for each Item with ids that no other has', async () => {
    const [first, other] = await Promise.all(filled.items.slice(0, 2).map(readHistory))
    const ids = [...(first?.ids ?? []), ...(other?.ids ?? [])]
    expect(ids.length).toBeGreaterThan(2000)
    expect(new Set(ids).size).toBe(ids.length)
    expect(first?.accounts).not.toEqual(other?.accounts)
  })

  test('has an Item with a large share, whose changes have numbers of their own', async () => {
    const { ids, places, accounts } = await readHistory(filled.deep)
    const rows =
      (await readAll(service.service.database, filled.deep.item_id))['transactions'] ?? []
    const numbers = rows.flatMap(({ account_id, last_sequence }) =>
      accounts.includes(String(account_id)) && last_sequence !== null ? [last_sequence] : [],
    )
    expect(filled.deep.transactions).toBeGreaterThanOrEqual(3000)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(new Set(ids).size).toBe(numbers.length)
    expect(accounts).toEqual(expect.arrayContaining([...places]))
  })

  test('goes on as one that was linked', async () => {
    const [item] = filled.items
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
