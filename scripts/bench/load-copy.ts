import { encryptedColumns } from '../../src/server/data-keys/encrypted-columns.ts'
import type { Value } from '../../src/server/kernel/database.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import type { Keys } from '../../src/server/kernel/keys.ts'
import { type ItemTable, itemTables, type Row, type Template } from './load-template.ts'

/** What a copy gets of its own. */
export interface Copy {
  clientId: string
  accessToken: string
  keys: Keys
  /** In the place of each id of the template. */
  ids: readonly string[]
  /** How many changes its Item has had before. */
  before: number
}

type Cell = (copy: Copy) => Value

/** A template that can be filled again and again. */
export interface Stencil {
  ids: readonly string[]
  /** How many of those are the Item's and its accounts', which come first. */
  shared: number
  /** How many changes the Item has had. */
  changes: number
  tables: Record<ItemTable, Cell[][]>
}

/** The columns of each table, in the order of a copy's values. */
export function columnsOf(template: Template): Record<ItemTable, string[]> {
  const [items, accounts, transactions] = itemTables.map((table) =>
    Object.keys(template[table][0] ?? {}),
  )
  return { items, accounts, transactions } as Record<ItemTable, string[]>
}

const opaque = /[A-Za-z0-9]{37}/g

/** Finds in a template what is to be another in each copy. */
export function toStencil(template: Template, keys: Keys): Stencil {
  const textOf = (value: Value | undefined) => String(value)
  const shared = [
    ...template.items.map((row) => textOf(row['item_id'])),
    ...template.accounts.map((row) => textOf(row['account_id'])),
  ]
  const own = template.transactions.flatMap((row) => {
    const { pending_transaction_id: replaced } = JSON.parse(textOf(row['document']))
    return [textOf(row['transaction_id']), ...(replaced === null ? [] : [replaced])]
  })
  const ids = [...new Set([...shared, ...own])]
  const places = new Map(ids.map((id, place) => [id, place]))
  const cellsOf = (table: ItemTable) =>
    template[table].map((row: Row) =>
      Object.entries(row).map(([column, value]) => toCell({ table, column, value, places, keys })),
    )
  const [items, accounts, transactions] = itemTables.map(cellsOf)
  const changes = Number(template.items[0]?.['transactions_sequence'])
  const tables = { items, accounts, transactions } as Stencil['tables']
  return { ids, shared: shared.length, changes, tables }
}

interface Given {
  table: ItemTable
  column: string
  value: Value
  places: ReadonlyMap<string, number>
  keys: Keys
}

const counting = /^(insertion|\w+_sequence)$/

function toCell({ table, column, value, places, keys }: Given): Cell {
  if (column === 'client_id') return ({ clientId }) => clientId
  if (column === 'access_token_hash') return ({ keys: own, accessToken }) => own.hash(accessToken)
  if (value === null) return () => null
  if (isEncrypted(table, column)) {
    const plain = keys.decrypt(String(value))
    return ({ keys: own }) => own.encrypt(plain)
  }
  if (counting.test(column)) return ({ before }) => before + Number(value)
  return typeof value === 'string' ? toText(value, places) : () => value
}

const isEncrypted = (table: string, column: string): boolean =>
  encryptedColumns.some((one) => one.table === table && one.columns.includes(column))

/** A text in which the template's ids stand. */
function toText(text: string, places: Given['places']): Cell {
  const found = [...text.matchAll(opaque)].flatMap(({ 0: id, index }) => {
    const place = places.get(id)
    return place === undefined ? [] : [{ place, start: index, end: index + id.length }]
  })
  if (found.length === 0) return () => text
  const pieces = found.map(({ place, end }, order) => ({
    place,
    after: text.slice(end, found[order + 1]?.start),
  }))
  const first = text.slice(0, found[0]?.start)
  return ({ ids }) => {
    let filled = first
    for (const { place, after } of pieces) filled += ids[place] + after
    return filled
  }
}

/** Ids for a copy; the Item's and its accounts' can be given. */
export const drawIds = ({ ids, shared }: Stencil, given: readonly string[] = []): string[] =>
  ids.map((_, place) => (place < shared && given[place]) || newId('opaque', 'sandbox'))

export const fill = (rows: readonly Cell[][], copy: Copy): Value[][] =>
  rows.map((cells) => cells.map((cell) => cell(copy)))
