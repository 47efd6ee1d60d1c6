import type {
  AuthMethod,
  HolderCategory,
  UpdateType,
  VerificationStatus,
} from '#contract/closed.ts'
import { insertRow, type Row } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
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

/** An account of an Item; money in minor units. */
export interface AccountRow {
  item_id: string
  account_key: number
  account_id: string
  type: string
  subtype: string | null
  name: string
  official_name: string | null
  mask: string | null
  holder_category: HolderCategory | null
  available: number | null
  current: number
  credit_limit: number | null
  iso_currency_code: string | null
  unofficial_currency_code: string | null
  last_updated_datetime: string | null
  verification_status: VerificationStatus | null
  verification_name: string | null
  /** JSON, as the three that follow. */
  verification_insights: string | null
  owners: string
  pending_owners: string | null
  liability: string | null
  verification_attempts: number
  persistent_account_id: string | null
  closed: number
  /** Encrypted, as the one that follows. */
  liability_account_number: string | null
  liability_payment_reference: string | null
}

const itemColumns = `item_id, institution_id, institution_name, webhook, auth_method, update_type,
  consent_expiration_time, available_products, billed_products, products, consented_products,
  health_error, health_reason, health_products, evolves, seed, user_id, transactions_status,
  days_requested, transactions_sequence, uses_sync, removed_at, created_at,
  transactions_updated_at, transactions_failed_at`

const accountColumns = `item_id, account_key, account_id, type, subtype, name, official_name, mask,
  holder_category, available, current, credit_limit, iso_currency_code, unofficial_currency_code,
  last_updated_datetime, verification_status, verification_name, verification_insights, owners,
  pending_owners, liability, verification_attempts, persistent_account_id, closed,
  liability_account_number, liability_payment_reference`

const shownColumns = `account_id, type, subtype, name, official_name, mask, holder_category, available,
  current, credit_limit, iso_currency_code, unofficial_currency_code, last_updated_datetime,
  verification_status, verification_name, verification_insights, persistent_account_id`

/** The columns that responses show of an account, without internal ones. */
export type ShownAccountRow = Omit<
  AccountRow,
  | 'item_id'
  | 'account_key'
  | 'owners'
  | 'pending_owners'
  | 'liability'
  | 'verification_attempts'
  | 'closed'
  | 'liability_account_number'
  | 'liability_payment_reference'
>

// Built once, since most calls use one of these.
const itemByToken = `select ${itemColumns} from items where client_id = $1 and access_token_hash = $2`
const shownAccounts = `select ${shownColumns} from accounts
  where client_id = $1 and item_id = $2 and closed = 0 order by account_key`

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

/** The Item's accounts in its order, closed ones included. */
export const listAllAccounts = (ctx: Context, itemId: string) =>
  ctx.own.all<AccountRow>(
    `select ${accountColumns} from accounts where client_id = $1 and item_id = $2 order by account_key`,
    [itemId],
  )

/** The Item's open accounts in its order. */
export const listAccounts = (ctx: Context, itemId: string) =>
  ctx.own.all<AccountRow>(
    `select ${accountColumns} from accounts where client_id = $1 and item_id = $2 and closed = 0
      order by account_key`,
    [itemId],
  )

/** The same without owners and liabilities, which take longer to read than the other columns. */
export const listShownAccounts = (ctx: Context, itemId: string) =>
  ctx.own.all<ShownAccountRow>(shownAccounts, [itemId])

/** An account of any of the client's Items. */
export const findAccount = (ctx: Context, accountId: string) =>
  ctx.own.first<AccountRow>(
    `select ${accountColumns} from accounts where client_id = $1 and account_id = $2`,
    [accountId],
  )

/** An account of the Item, closed or not. */
export async function requireAccount(
  ctx: Context,
  itemId: string,
  accountId: string,
): Promise<AccountRow> {
  const account = await findAccount(ctx, accountId)
  if (account?.item_id !== itemId) {
    const message = '`account_id` does not belong to the Item'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  return account
}

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

/** The account numbers, which no operation shows. */
export interface AccountNumbers {
  account_number: string | null
  routing_number: string | null
  wire_routing_number: string | null
}

export function insertAccountRow(
  ctx: Context,
  account: AccountRow,
  numbers?: AccountNumbers,
): Promise<boolean> {
  const encrypt = (number: string | null | undefined) => (number ? ctx.keys.encrypt(number) : null)
  return insertRow(ctx, 'accounts', {
    ...account,
    account_number: encrypt(numbers?.account_number),
    routing_number: encrypt(numbers?.routing_number),
    wire_routing_number: encrypt(numbers?.wire_routing_number),
  })
}

/** The columns to change. */
function toAssignments(changes: Row, taken: number): string {
  return Object.keys(changes)
    .map((column, index) => `${column} = $${taken + index + 1}`)
    .join(', ')
}

/** Changes some columns of an Item. Returns false if it is removed. */
export async function updateItem(
  ctx: Context,
  itemId: string,
  changes: Partial<Omit<ItemRow, 'item_id'>> & {
    removal_reason_code?: string | null
    removal_reason_note?: string | null
  },
): Promise<boolean> {
  const changed = await ctx.own.run(
    `update items set ${toAssignments(changes, 2)}
      where client_id = $1 and item_id = $2 and removed_at is null`,
    [itemId, ...Object.values(changes)],
  )
  return changed > 0
}

/** Changes some columns of an account. The position identifies it, even if its id changes. */
export async function updateAccount(
  ctx: Context,
  { item_id, account_key }: Pick<AccountRow, 'item_id' | 'account_key'>,
  changes: Partial<Omit<AccountRow, 'item_id' | 'account_key'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await ctx.own.run(
    `update accounts set ${toAssignments(changes, 3)}
      where client_id = $1 and item_id = $2 and account_key = $3`,
    [item_id, account_key, ...Object.values(changes)],
  )
}

/** An account by its position. */
export const findAccountAt = (ctx: Context, itemId: string, accountKey: number) =>
  ctx.own.first<AccountRow>(
    `select ${accountColumns} from accounts where client_id = $1 and item_id = $2 and account_key = $3`,
    [itemId, accountKey],
  )
