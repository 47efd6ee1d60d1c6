import type { HolderCategory, VerificationStatus } from '#contract/closed.ts'
import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { assign, type Changes, lockItemOf } from './store.ts'

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

const shownAccounts = `select ${shownColumns} from accounts
  where client_id = $1 and item_id = $2 and closed = 0 order by account_key`

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

/** The account numbers, which no operation shows. */
export interface AccountNumbers {
  account_number: string | null
  routing_number: string | null
  wire_routing_number: string | null
}

/** The account that a request names, of an Item that is locked until the commit. */
export async function lockAccountOf(
  ctx: Context,
  { access_token, account_id }: { access_token: string; account_id: string },
): Promise<AccountRow> {
  const { item_id } = await lockItemOf(ctx, access_token)
  return requireAccount(ctx, item_id, account_id)
}

/** The accounts of an Item with their numbers. */
export async function listNumbered(
  { own, keys }: Context,
  itemId: string,
): Promise<{ name: string; iso_currency_code: string | null; number: string }[]> {
  const rows = await own.all<{ name: string; iso_currency_code: string | null; number: string }>(
    `select name, iso_currency_code, account_number as number from accounts
      where client_id = $1 and item_id = $2 and account_number is not null`,
    [itemId],
  )
  return rows.map((row) => ({ ...row, number: keys.decrypt(row.number) }))
}

export function insertAccountRow(
  ctx: Context,
  account: AccountRow,
  numbers: AccountNumbers | undefined,
): Promise<boolean> {
  const encrypt = (number: string | null | undefined) => (number ? ctx.keys.encrypt(number) : null)
  return insertRow(ctx, 'accounts', {
    ...account,
    account_number: encrypt(numbers?.account_number),
    routing_number: encrypt(numbers?.routing_number),
    wire_routing_number: encrypt(numbers?.wire_routing_number),
  })
}

/** Changes some columns of an account. The position identifies it, even if its id changes. */
export async function updateAccount(
  ctx: Context,
  { item_id, account_key }: Pick<AccountRow, 'item_id' | 'account_key'>,
  changes: Changes<Omit<AccountRow, 'item_id' | 'account_key'>>,
): Promise<void> {
  const [assignments, values] = assign(changes, 3)
  if (values.length === 0) return
  await ctx.own.run(
    `update accounts set ${assignments}
      where client_id = $1 and item_id = $2 and account_key = $3`,
    [item_id, account_key, ...values],
  )
}

/** An account by its position. */
export const findAccountAt = (ctx: Context, itemId: string, accountKey: number) =>
  ctx.own.first<AccountRow>(
    `select ${accountColumns} from accounts where client_id = $1 and item_id = $2 and account_key = $3`,
    [itemId, accountKey],
  )
