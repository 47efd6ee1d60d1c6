import { insertRows } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { onAccounts, type Range } from '../transactions/list-store.ts'
import { shown } from '../transactions/store.ts'

/** Access of a program to accounts. */
export interface AccessRow {
  client_id: string
  access_id: string
  name: string
  item_id: string | null
  token_hash: string | null
  token_expires_at: number
  secret_hash: string | null
  /** JSON: the times of the requests of the last day, in real ms. */
  calls: string
  created_at: string
  claimed_at: string | null
  used_at: string | null
  revoked_at: string | null
}

const columns = `client_id, access_id, name, item_id, token_hash, token_expires_at, secret_hash, calls,
  created_at, claimed_at, used_at, revoked_at`

export const insertSimplefinAccess = (db: Queries, row: AccessRow): Promise<number> =>
  insertRows(db, 'simplefin_access', [{ ...row }])

export const findSimplefinAccess = (db: Queries, accessId: string) =>
  db.first<AccessRow>(`select ${columns} from simplefin_access where access_id = $1`, [accessId])

export const findSimplefinToken = (db: Queries, tokenHash: string) =>
  db.first<AccessRow>(`select ${columns} from simplefin_access where token_hash = $1`, [tokenHash])

/** The accesses of all clients, the oldest first. */
export const listSimplefinAccess = (db: Queries) =>
  db.all<AccessRow>(`select ${columns} from simplefin_access order by created_at, access_id`)

type Key = Pick<AccessRow, 'client_id' | 'access_id'>

/** Exchanges the setup token for a password. Returns false where somebody else was faster. */
export const claimSimplefinToken = async (
  db: Queries,
  { client_id, access_id, token_hash }: Pick<AccessRow, keyof Key | 'token_hash'>,
  { secret_hash, at }: { secret_hash: string; at: string },
): Promise<boolean> =>
  (await db.run(
    `update simplefin_access set token_hash = null, secret_hash = $4, claimed_at = $5
      where client_id = $1 and access_id = $2 and token_hash = $3 and revoked_at is null`,
    [client_id, access_id, token_hash, secret_hash, at],
  )) > 0

/** Writes a request, before it is answered. */
export const noteSimplefinCall = (
  db: Queries,
  { client_id, access_id }: Key,
  { calls, at }: { calls: string; at: string },
): Promise<number> =>
  db.run(
    'update simplefin_access set calls = $3, used_at = $4 where client_id = $1 and access_id = $2',
    [client_id, access_id, calls, at],
  )

/** Ends an access. Returns false if it has ended before. */
export const revokeSimplefinAccess = async (
  db: Queries,
  { client_id, access_id }: Key,
  at: string,
): Promise<boolean> =>
  (await db.run(
    `update simplefin_access set revoked_at = $3, token_hash = null, secret_hash = null
      where client_id = $1 and access_id = $2 and revoked_at is null`,
    [client_id, access_id, at],
  )) > 0

/** The Items of the client that are not removed. */
export const listToldItems = async (ctx: Context, most: number): Promise<string[]> => {
  const rows = await ctx.own.all<{ item_id: string }>(
    `select item_id from items where client_id = $1 and removed_at is null
      order by item_id limit $2`,
    [most],
  )
  return rows.map(({ item_id }) => item_id)
}

/** The Items of the client that have some accounts. */
export const listItemsWith = async (
  ctx: Context,
  accountIds: readonly string[],
): Promise<string[]> => {
  const rows = await ctx.own.all<{ item_id: string }>(
    `select item_id from accounts where client_id = $1 ${onAccounts(2, accountIds)}`,
    [...accountIds],
  )
  return [...new Set(rows.map(({ item_id }) => item_id))].sort()
}

/** A transaction as it is told. */
export interface ToldRow {
  transaction_id: string
  account_id: string
  date: string
  pending: number
  document: string
  original_description: string | null
}

/** The shown transactions of an Item from some days, the latest first. */
export const listToldRows = (
  ctx: Context,
  itemId: string,
  { from, to, accountIds }: Range,
  { count, offset }: { count: number; offset: number },
) =>
  ctx.own.all<ToldRow>(
    `select transaction_id, account_id, date, pending, document, original_description
      from transactions
      where client_id = $1 and item_id = $2 and date >= $3 and date <= $4 and ${shown}
        ${onAccounts(7, accountIds)}
      order by date desc, insertion desc limit $5 offset $6`,
    [itemId, from, to, count, offset, ...(accountIds ?? [])],
  )
