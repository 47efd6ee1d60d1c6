import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** When and how an Item is read from its source. Times are real ms. */
export interface PullRow {
  client_id: string
  item_id: string
  connector: string
  /** Encrypted. */
  secret: string
  /** JSON, as `hidden`, `history` and `calls`. */
  state: string | null
  hidden: string
  history: string | null
  /** When the latest days were last read. 0 means that they are to be read next. */
  read_at: number
  due_at: number
  leased_until: number
  fence: number
  calls: string
  failures: number
  failure: string | null
  notices: string | null
  /** What the source told its user in the last read, in its own words. */
  said: string | null
  /** 1 where the Item was removed, and only the revocation at the source is left. */
  revokes: number
  /** The institution of an authorization that became no Item; null for Items. */
  institution_id: string | null
}

const columns = `client_id, item_id, connector, secret, state, hidden, history, read_at, due_at,
  leased_until, fence, calls, failures, failure, notices, said, revokes,
  institution_id`

type Key = Pick<PullRow, 'client_id' | 'item_id'>

/** The pulls of an Item; undefined for one that the service does not read by itself. */
export const findPull = (ctx: Context, itemId: string) =>
  ctx.own.first<PullRow>(
    `select ${columns} from item_pulls where client_id = $1 and item_id = $2`,
    [itemId],
  )

/** The same, outside of a context. */
export const readPull = (db: Queries, { client_id, item_id }: Key) =>
  db.first<PullRow>(`select ${columns} from item_pulls where client_id = $1 and item_id = $2`, [
    client_id,
    item_id,
  ])

/** The pulls of the Item whose source sends webhooks to an address with this token. */
export const findNotified = (
  db: Queries,
  clientId: string,
  notifyHash: string,
): Promise<PullRow | undefined> =>
  db.first<PullRow>(
    `select ${columns} from item_pulls where client_id = $1 and notify_hash = $2 and revokes = 0`,
    [clientId, notifyHash],
  )

type NewPull = Pick<PullRow, 'item_id' | 'connector' | 'secret' | 'hidden' | 'due_at' | 'calls'> & {
  notify_hash: string | null
}

export const insertPull = (ctx: Context, row: NewPull): Promise<boolean> =>
  insertRow(ctx, 'item_pulls', { ...row })

/** A batch of what is due and nobody works on, the longest wait first. */
export const listDuePulls = (db: Queries, now: number, most: number) =>
  db.all<PullRow>(
    `select ${columns} from item_pulls where due_at <= $1 and leased_until <= $1
      order by due_at limit ${most}`,
    [now],
  )

/** When the next pull becomes due, or the lease of one ends that is due; null for none. */
export const findNextPull = async (db: Queries, now: number): Promise<number | null> => {
  const row = await db.first<{ due: number | null; lease: number | null }>(
    `select (select min(due_at) from item_pulls where due_at > $1) as due,
        (select min(leased_until) from item_pulls where due_at <= $1 and leased_until > $1) as lease`,
    [now],
  )
  const times = [row?.due, row?.lease].filter((time) => typeof time === 'number')
  return times.length === 0 ? null : Math.min(...times)
}

/** What a claim writes before the call. */
interface Claim {
  leased_until: number
  calls: string
}

/** Claims a pull as it was read, and counts its call. Returns false if somebody else was faster. */
export const claimPull = async (
  db: Queries,
  { client_id, item_id, fence }: PullRow,
  { leased_until, calls }: Claim,
  now: number,
): Promise<boolean> =>
  (await db.run(
    `update item_pulls set leased_until = $5, calls = $6, fence = fence + 1
      where client_id = $1 and item_id = $2 and fence = $3 and leased_until <= $4`,
    [client_id, item_id, fence, now, leased_until, calls],
  )) > 0

/** Returns false if the claim of this fence is no longer the latest one. */
export const holdPull = async (ctx: Context, { item_id, fence }: PullRow): Promise<boolean> =>
  (await ctx.own.run(
    `update item_pulls set fence = fence where client_id = $1 and item_id = $2 and fence = $3`,
    [item_id, fence],
  )) > 0

/** A claim, as it is named. */
type Claimed = Pick<PullRow, 'client_id' | 'item_id' | 'fence'>

/** What a read leaves. */
type Outcome = Pick<
  PullRow,
  | 'state'
  | 'hidden'
  | 'history'
  | 'read_at'
  | 'due_at'
  | 'failures'
  | 'failure'
  | 'notices'
  | 'said'
>

/** Ends a claim. Returns false if it is no longer the latest one. */
export const endPull = async (
  db: Queries,
  { client_id, item_id, fence, due_at: before }: Pick<PullRow, 'due_at'> & Claimed,
  outcome: Outcome,
): Promise<boolean> => {
  const { state, hidden, history, read_at, due_at, failures, failure, notices, said } = outcome
  const changed = await db.run(
    // A webhook of the source has made the next read due meanwhile.
    `update item_pulls set leased_until = 0, state = $4, hidden = $5, history = $6,
        due_at = case when due_at > $13 then due_at else $7 end,
        failures = $8, failure = $9, notices = $10, read_at = $11, said = $12
      where client_id = $1 and item_id = $2 and fence = $3`,
    [
      ...[client_id, item_id, fence, state, hidden, history, due_at, failures, failure, notices],
      ...[read_at, said, before],
    ],
  )
  return changed > 0
}

/** Postpones a pull that nobody works on. */
export const postponePull = async (
  db: Queries,
  { client_id, item_id, fence }: PullRow,
  dueAt: number,
): Promise<void> => {
  await db.run(
    'update item_pulls set due_at = $4 where client_id = $1 and item_id = $2 and fence = $3',
    [client_id, item_id, fence, dueAt],
  )
}

/** Gives a claim back whose read was cut off. Its call stays counted. */
export const releasePull = async (
  db: Queries,
  { client_id, item_id, fence }: Pick<PullRow, 'client_id' | 'item_id' | 'fence'>,
): Promise<void> => {
  await db.run(
    'update item_pulls set leased_until = 0 where client_id = $1 and item_id = $2 and fence = $3',
    [client_id, item_id, fence],
  )
}

/** Makes a pull due of which a webhook says that it brings something. */
export const notePull = async (
  db: Queries,
  { client_id, item_id }: Key,
  now: number,
): Promise<void> => {
  await db.run(
    `update item_pulls set due_at = $3
      where client_id = $1 and item_id = $2 and revokes = 0 and (due_at > $3 or leased_until > $3)
        and coalesce(failure, '') <> 'INSTITUTION_RATE_LIMIT'`,
    [client_id, item_id, now],
  )
}

/** Makes a pull of the latest days due. */
export const hastenPull = async (ctx: Context, itemId: string, dueAt: number): Promise<void> => {
  await ctx.own.run(
    'update item_pulls set due_at = $3, read_at = 0 where client_id = $1 and item_id = $2',
    [itemId, dueAt],
  )
}

/** Changes what a user has authorized again. A read that is under way ends without effect. */
export const reauthorizePull = async (
  ctx: Context,
  itemId: string,
  { secret, hidden, calls, due_at, notify_hash }: Omit<NewPull, 'item_id' | 'connector'>,
): Promise<void> => {
  await ctx.own.run(
    `update item_pulls set secret = $3, hidden = $4, calls = $5, due_at = $6, leased_until = 0,
        read_at = 0, failures = 0, failure = null, notices = null, said = null, fence = fence + 1,
        notify_hash = coalesce($7, notify_hash)
      where client_id = $1 and item_id = $2`,
    [itemId, secret, hidden, calls, due_at, notify_hash],
  )
}

/** Writes a call that is made beside the pulls, before it is made. */
export const noteCalls = async (ctx: Context, itemId: string, calls: string): Promise<void> => {
  await ctx.own.run('update item_pulls set calls = $3 where client_id = $1 and item_id = $2', [
    itemId,
    calls,
  ])
}

/** Stops the pulls of an Item. Its secret is kept until it is revoked at the source. */
export const planRevocation = async (
  ctx: Context,
  itemId: string,
  dueAt: number,
): Promise<void> => {
  await ctx.own.run(
    `update item_pulls set revokes = 1, due_at = $3, leased_until = 0, failures = 0, state = null,
        hidden = '[]', notices = null, said = null, fence = fence + 1
      where client_id = $1 and item_id = $2`,
    [itemId, dueAt],
  )
}

/** Plans the revocation of an authorization that became no Item. */
export const insertRevocation = (
  ctx: Context,
  row: Pick<PullRow, 'connector' | 'secret' | 'institution_id' | 'due_at'>,
): Promise<boolean> =>
  insertRow(ctx, 'item_pulls', {
    ...row,
    item_id: ctx.newId('opaque'),
    hidden: '[]',
    calls: '[]',
    revokes: 1,
  })

/** Ends a claimed revocation that failed, until it is due again. */
export const delayRevocation = async (
  db: Queries,
  { client_id, item_id, fence }: PullRow,
  dueAt: number,
): Promise<void> => {
  await db.run(
    `update item_pulls set leased_until = 0, failures = failures + 1, due_at = $4
      where client_id = $1 and item_id = $2 and fence = $3`,
    [client_id, item_id, fence, dueAt],
  )
}

/** Ends a claimed revocation, and forgets the secret. */
export const endRevocation = async (
  db: Queries,
  { client_id, item_id, fence }: PullRow,
): Promise<void> => {
  await db.run('delete from item_pulls where client_id = $1 and item_id = $2 and fence = $3', [
    client_id,
    item_id,
    fence,
  ])
}

/** Stops the pulls of an Item, and forgets its secret. */
export const deletePull = async (ctx: Context, itemId: string): Promise<void> => {
  await ctx.own.run('delete from item_pulls where client_id = $1 and item_id = $2', [itemId])
}
