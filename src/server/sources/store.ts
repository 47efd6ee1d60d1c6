import { insertInBatches, insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import { columns, type TransactionRow } from '../transactions/store.ts'

/** Where the data of an Item comes from. */
export interface ItemSourceRow {
  item_id: string
  connector: string
  institution_id: string
  user_hash: string
  /** Encrypted. */
  client_user_id: string
  key_version: number
  created_at: string
}

const sourceColumns =
  'item_id, connector, institution_id, user_hash, client_user_id, key_version, created_at'

/** The source of an Item; undefined for one that the service generates itself. */
export const findItemSource = (ctx: Context, itemId: string) =>
  ctx.own.first<ItemSourceRow>(
    `select ${sourceColumns} from item_sources where client_id = $1 and item_id = $2`,
    [itemId],
  )

type UserAt = Pick<ItemSourceRow, 'user_hash' | 'institution_id' | 'connector'>

/** The Item of a user at an institution that was not removed. */
export const findSourceOfUser = (ctx: Context, user: UserAt) =>
  ctx.own.first<ItemSourceRow>(
    `select ${sourceColumns} from item_sources
      where client_id = $1 and user_hash = $2 and institution_id = $3 and connector = $4
        and exists (select 1 from items where items.client_id = $1
          and items.item_id = item_sources.item_id and removed_at is null)
      order by created_at, item_id limit 1`,
    [user.user_hash, user.institution_id, user.connector],
  )

export const insertItemSource = (ctx: Context, row: ItemSourceRow): Promise<boolean> =>
  insertRow(ctx, 'item_sources', { ...row })

/** The position of the account that has one of these names. */
export async function findAccountKey(
  ctx: Context,
  itemId: string,
  hashes: readonly string[],
): Promise<number | undefined> {
  const places = hashes.map((_, index) => `$${index + 3}`).join(', ')
  const row = await ctx.own.first<{ account_key: number | null }>(
    `select min(account_key) as account_key from source_numbers
      where client_id = $1 and item_id = $2 and number_hash in (${places})`,
    [itemId, ...hashes],
  )
  return row?.account_key ?? undefined
}

/** The position of the next account of an Item. */
export async function nextAccountKey(ctx: Context, itemId: string): Promise<number> {
  const row = await ctx.own.first<{ last: number | null }>(
    'select max(account_key) as last from accounts where client_id = $1 and item_id = $2',
    [itemId],
  )
  return (row?.last ?? -1) + 1
}

/** Adds the names of an account that are new. */
export async function insertNumbers(
  ctx: Context,
  account: { item_id: string; account_key: number },
  hashes: readonly string[],
): Promise<void> {
  for (const number_hash of hashes) {
    await insertRow(ctx, 'source_numbers', { ...account, number_hash }, 'on conflict do nothing')
  }
}

/** What sources have told of an account. */
export interface SourceAccountRow {
  /** The day of the balance that it shows. */
  balance_on: string | null
  /** The forms of its rows. */
  forms: number
  /** JSON: the days of which statements have told all bookings. */
  booked: string | null
  /** JSON: the days of which files tell bookings or balances; null where it is not known. */
  told: string | null
  /** JSON: the signs of its files by format, where an operator has said them. */
  signs: string | null
}

export const findSourceAccount = (ctx: Context, itemId: string, accountKey: number) =>
  ctx.own.first<SourceAccountRow>(
    `select balance_on, forms, booked, told, signs from source_accounts
      where client_id = $1 and item_id = $2 and account_key = $3`,
    [itemId, accountKey],
  )

export async function putBalanceDate(
  ctx: Context,
  account: { item_id: string; account_key: number; balance_on: string | null },
): Promise<void> {
  await insertRow(
    ctx,
    'source_accounts',
    { ...account, forms: 0 },
    'on conflict (client_id, item_id, account_key) do update set balance_on = excluded.balance_on',
  )
}

export async function putSigns(
  ctx: Context,
  account: { item_id: string; account_key: number; signs: string },
): Promise<void> {
  await insertRow(
    ctx,
    'source_accounts',
    { ...account, forms: 0 },
    'on conflict (client_id, item_id, account_key) do update set signs = excluded.signs',
  )
}

/** Writes the forms and the days that a statement has added. */
export async function putTold(
  ctx: Context,
  account: Pick<Origin, 'item_id' | 'account_key'>,
  told: Pick<SourceAccountRow, 'forms' | 'booked' | 'told'>,
): Promise<void> {
  const { item_id, account_key } = account
  await insertRow(
    ctx,
    'source_accounts',
    { item_id, account_key, ...told },
    `on conflict (client_id, item_id, account_key) do update
      set forms = excluded.forms, booked = excluded.booked, told = excluded.told`,
  )
}

/** An account, and the origin of rows. */
export interface Origin {
  item_id: string
  account_key: number
  account_id: string
  origin: string
  /** Whether it tells the day so far. */
  isIntraday: boolean
  /** Whether its ids alone say which row is which. */
  isExact?: boolean
}

/** A key, the transaction that it stands for, and a hash of what the source said of it last. */
export interface SourceRow {
  row_key: string
  transaction_id: string
  content: string
  /** The forms in which its origin has told it. */
  form: number
}

/** In place of an origin: the references of pending rows, whatever told them. */
export const ofReferences = '#references'

/** A constant number of keys, so that the statement is prepared once. */
const keysAtOnce = 256
const keyPlaces = Array.from({ length: keysAtOnce }, (_, index) => `($${index + 5})`).join(', ')

// One search for each key: a planner that knows nothing of rows which were just written would read
// all of them in place of a list.
const rowsByKey = `select row_key, found from (
    select column1 as row_key, (select transaction_id || ' ' || content || ' ' || form from source_rows
        where client_id = $1 and item_id = $2 and account_key = $3 and origin = $4
          and row_key = column1) as found
      from (values ${keyPlaces}) as asked
  ) as rows_by_key where found is not null`

/** What keys stand for. */
export async function listKnown(
  { own }: Context,
  { item_id, account_key, origin }: Pick<Origin, 'item_id' | 'account_key' | 'origin'>,
  keys: readonly string[],
): Promise<SourceRow[]> {
  const rows: { row_key: string; found: string }[] = []
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const asked = Array.from({ length: keysAtOnce }, (_, index) => keys[from + index] ?? '')
    rows.push(
      ...(await own.all<(typeof rows)[0]>(rowsByKey, [item_id, account_key, origin, ...asked])),
    )
  }
  return rows.map(({ row_key, found }) => {
    const [transaction_id = '', content = '', form] = found.split(' ')
    return { row_key, transaction_id, content, form: Number(form) }
  })
}

/** A transaction that a row may stand for, and in which forms its origin has told it; 0 for none. */
export type NearRow = TransactionRow & { forms: number }

/** Whether a row of this origin may be a transaction that the origin does not know. */
export const hasOthers = async (ctx: Context, origin: Origin): Promise<boolean> => {
  const { item_id, account_key, account_id } = origin
  // An index finds what comes before or after an origin; for `<>` it would be read whole.
  const row = await ctx.own.first(
    `select 1 as found from accounts where client_id = $1 and item_id = $2 and account_key = $3
      and (exists (select 1 from source_rows where client_id = $1 and item_id = $2
          and account_key = $3 and origin < $4 and origin <> '${ofReferences}')
        or exists (select 1 from source_rows where client_id = $1 and item_id = $2
          and account_key = $3 and origin > $4 and origin <> '${ofReferences}')
        or exists (select 1 from transactions where client_id = $1 and item_id = $2
          and account_id = $5 and pending = 1 and removed = 0))`,
    [item_id, account_key, origin.origin, account_id],
  )
  return row !== undefined
}

const bits = [1, 2, 4, 8].map((bit) => `max(form & ${bit})`).join(' + ')

// What is compared as an expression has no index: the embedded engine would read all rows of the
// account by it.
const forms = `coalesce((select ${bits} from source_rows
    where source_rows.client_id = transactions.client_id
      and source_rows.transaction_id = transactions.transaction_id
      and source_rows.item_id || '' = transactions.item_id
      and account_key + 0 = $3 and origin || '' = $4), 0) as forms`

// Each half has an index by date; without one, all rows of the Item would be read.
const nearRows = `select ${columns}, ${forms} from (
    select client_id, item_id, ${columns} from transactions
      where client_id = $1 and item_id = $2 and account_id = $5 and date >= $6 and date <= $7
        and removed = 0 and added_sequence is not null
    union all
    select client_id, item_id, ${columns} from transactions
      where client_id = $1 and item_id = $2 and account_id = $5 and date >= $6 and date <= $7
        and removed = 0 and added_sequence is null
  ) as transactions`

const pendingRows = `select ${columns}, ${forms} from transactions
  where client_id = $1 and item_id = $2 and account_id = $5 and date >= $6 and date <= $7
    and pending = 1 and removed = 0`

const list = async (
  ctx: Context,
  { item_id, account_key, account_id, origin }: Origin,
  days: { from: string; to: string },
  sql: string,
): Promise<NearRow[]> => {
  const values = [item_id, account_key, origin, account_id, days.from, days.to]
  const rows = await ctx.own.all<NearRow>(sql, values)
  // No index has this order for all rows; there are as many as an account has in a few weeks.
  return rows.sort((one, other) =>
    one.date === other.date ? one.insertion - other.insertion : one.date < other.date ? -1 : 1,
  )
}

/** The transactions of an account in a range of days, the earliest first. */
export const listNear = (ctx: Context, origin: Origin, days: { from: string; to: string }) =>
  list(ctx, origin, days, nearRows)

/** Those that are pending. */
export const listPending = (ctx: Context, origin: Origin, days: { from: string; to: string }) =>
  list(ctx, origin, days, pendingRows)

const batches = [128, 16, 1]

/** Writes what keys stand for from now on. */
export function putSourceRows(
  ctx: Context,
  { item_id, account_key, origin }: Pick<Origin, 'item_id' | 'account_key' | 'origin'>,
  rows: readonly SourceRow[],
): Promise<void> {
  const { client_id } = ctx.client
  return insertInBatches(
    ctx.db,
    'source_rows',
    rows.map((row) => ({ client_id, item_id, account_key, origin, ...row })),
    batches,
    `on conflict (client_id, item_id, account_key, origin, row_key)
      do update set transaction_id = excluded.transaction_id, content = excluded.content,
        form = source_rows.form | excluded.form`,
  )
}
