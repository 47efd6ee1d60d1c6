import type { AuthMethod, UpdateType } from '#contract/closed.ts'
import { insertRow, type Row } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Value } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'

/** A connection of a user to an institution. */
export interface ItemRow {
  item_id: string
  institution_id: string | null
  institution_name: string | null
  webhook: string | null
  auth_method: AuthMethod | null
  update_type: UpdateType
  consent_expiration_time: string | null
  /** JSON arrays of product names, as the three that follow. */
  available_products: string
  billed_products: string
  products: string
  consented_products: string
  health_error: string | null
  health_reason: string | null
  /** The affected products, as a JSON array. Null means all. */
  health_products: string | null
  evolves: number
  seed: string | null
  user_id: string | null
  transactions_status: string | null
  days_requested: number | null
  transactions_sequence: number
  uses_sync: number
  removed_at: string | null
  created_at: string
  /** When its transactions were last read, and when that last failed. */
  transactions_updated_at: string | null
  transactions_failed_at: string | null
}

const itemColumns = `item_id, institution_id, institution_name, webhook, auth_method, update_type,
  consent_expiration_time, available_products, billed_products, products, consented_products,
  health_error, health_reason, health_products, evolves, seed, user_id, transactions_status,
  days_requested, transactions_sequence, uses_sync, removed_at, created_at,
  transactions_updated_at, transactions_failed_at`

// Built once, since most calls use one of these.
const itemByToken = `select ${itemColumns} from items where client_id = $1 and access_token_hash = $2`

/**
 * The Item of an access token. Removed Items and unknown tokens fail with different errors. `field`
 * is the source of the token, if that is not `access_token`.
 */
export async function requireItem(
  ctx: Context,
  accessToken: string,
  field?: string,
): Promise<ItemRow> {
  const item = await ctx.own.first<ItemRow>(itemByToken, [ctx.keys.hash(accessToken)])
  if (!item) {
    const message = describeUnknown(ctx, accessToken, field)
    throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.400', message ? { message } : {})
  }
  if (item.removed_at !== null) throw new ApiError('ITEM_NOT_FOUND')
  return item
}

/** Why no Item has the token; undefined where nothing is known beyond what the catalogue says. */
function describeUnknown(
  { settings: { environment } }: Context,
  accessToken: string,
  field: string | undefined,
): string | undefined {
  const [, other] = /^access-(sandbox|production)-/.exec(accessToken) ?? []
  if (other !== undefined && other !== environment) {
    return `\`${field ?? 'access_token'}\` is a token of the environment ${other}, and this is ${environment}`
  }
  return field && `\`${field}\` must be an access token that was issued to this client`
}

/** An Item by its id, removed or not. */
export const findItem = (ctx: Context, itemId: string) =>
  ctx.own.first<ItemRow>(`select ${itemColumns} from items where client_id = $1 and item_id = $2`, [
    itemId,
  ])

/**
 * Locks an Item until the commit, and returns its current row. Fails if the Item was removed since
 * the request arrived.
 */
export async function lockItem(ctx: Context, itemId: string): Promise<ItemRow> {
  const locked = await ctx.own.run(
    `update items set removed_at = null
      where client_id = $1 and item_id = $2 and removed_at is null`,
    [itemId],
  )
  const item = locked > 0 ? await findItem(ctx, itemId) : undefined
  if (!item) throw new ApiError('ITEM_CONCURRENTLY_DELETED')
  return item
}

/** The Item of an access token, locked until the commit. */
export const lockItemOf = async (ctx: Context, accessToken: string): Promise<ItemRow> =>
  lockItem(ctx, (await requireItem(ctx, accessToken)).item_id)

/** Writes an Item and the hash of its access token. */
export const insertItemRow = (ctx: Context, item: ItemRow, accessToken: string): Promise<boolean> =>
  insertRow(ctx, 'items', { ...item, access_token_hash: ctx.keys.hash(accessToken) })

/** Columns to change. One that is undefined stays as it is. */
export type Changes<Columns> = { [Name in keyof Columns]?: Columns[Name] | undefined }

/** The assignments of an `update`, and their values, after so many other values. */
export function assign(changes: Changes<Row>, taken: number): [assignments: string, Value[]] {
  const given = Object.entries(changes).filter((entry): entry is [string, Value] => {
    return entry[1] !== undefined
  })
  const assignments = given.map(([column], index) => `${column} = $${taken + index + 1}`)
  return [assignments.join(', '), given.map(([, value]) => value)]
}

/** Changes some columns of an Item. Returns false if it is removed. */
export async function updateItem(
  ctx: Context,
  itemId: string,
  changes: Changes<Omit<ItemRow, 'item_id'>> & {
    removal_reason_code?: string | null
    removal_reason_note?: string | null
  },
): Promise<boolean> {
  const [assignments, values] = assign(changes, 2)
  const changed = await ctx.own.run(
    `update items set ${assignments}
      where client_id = $1 and item_id = $2 and removed_at is null`,
    [itemId, ...values],
  )
  return changed > 0
}
