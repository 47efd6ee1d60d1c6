import type { Context } from '../context.ts'
import type { Value } from '../db/database.ts'
import { toLiabilityColumns } from '../items/liability.ts'
import type { AccountRow, ItemRow } from '../items/store.ts'
import { toMinor } from '../money.ts'
import type { AccountSpec } from './item-spec.ts'

/** Account numbers, which are stored encrypted. */
export interface AccountNumbers {
  account_number: string | null
  routing_number: string | null
  wire_routing_number: string | null
}

/** All of an Item but its transactions. */
export interface NewItem extends Omit<ItemRow, 'item_id' | 'transactions_sequence' | 'uses_sync'> {
  item_id?: string
  access_token: string
  accounts: readonly (Omit<AccountSpec, 'transactions'> & { numbers: AccountNumbers })[]
}

/** Writes an Item with its accounts, and returns their rows' ids. */
export async function writeItem(ctx: Context, item: NewItem): Promise<ItemRow> {
  const { access_token, accounts, ...rest } = item
  const row: ItemRow = {
    ...rest,
    item_id: item.item_id ?? ctx.newId('opaque'),
    transactions_sequence: 0,
    uses_sync: 0,
  }
  const token = { access_token_hash: ctx.keys.hash(access_token) }
  await insertRow(ctx, 'items', { ...row, ...token })
  for (const [index, account] of accounts.entries()) {
    const encrypt = (value: string | null) => (value === null ? null : ctx.keys.encrypt(value))
    await insertRow(ctx, 'accounts', {
      ...toAccountRow(ctx, row.item_id, account, index),
      account_number: encrypt(account.numbers.account_number),
      routing_number: encrypt(account.numbers.routing_number),
      wire_routing_number: encrypt(account.numbers.wire_routing_number),
    })
  }
  return row
}

async function insertRow(ctx: Context, table: string, row: object): Promise<void> {
  const entries: [string, Value][] = Object.entries(row)
  await ctx.db.run(
    `insert into ${table} (client_id, ${entries.map(([column]) => column).join(', ')})
      values ($1, ${entries.map((_, index) => `$${index + 2}`).join(', ')})`,
    [ctx.client.client_id, ...entries.map(([, value]) => value)],
  )
}

const minorOrNull = (amount: number | null): number | null =>
  amount === null ? null : toMinor(amount)

const jsonOrNull = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)

function toAccountRow(
  ctx: Context,
  item_id: string,
  account: Omit<AccountSpec, 'transactions'>,
  account_key: number,
): AccountRow {
  const { balances } = account
  return {
    item_id,
    account_key,
    account_id: account.account_id ?? ctx.newId('opaque'),
    type: account.type,
    subtype: account.subtype,
    name: account.name,
    official_name: account.official_name,
    mask: account.mask,
    holder_category: account.holder_category ?? null,
    available: minorOrNull(balances.available),
    current: toMinor(balances.current),
    credit_limit: minorOrNull(balances.limit),
    iso_currency_code: balances.iso_currency_code,
    unofficial_currency_code: balances.unofficial_currency_code,
    last_updated_datetime: balances.last_updated_datetime ?? null,
    verification_status: account.verification_status ?? null,
    verification_name: account.verification_name ?? null,
    verification_insights: jsonOrNull(account.verification_insights),
    owners: JSON.stringify(account.owners),
    pending_owners: jsonOrNull(account.pending_owners),
    ...toLiabilityColumns(ctx.keys, account.liability),
    verification_attempts: 0,
    persistent_account_id: account.persistent_account_id ?? null,
    closed: account.closed ? 1 : 0,
  }
}
