import type { AuthMethod, Product, UpdateType } from '#contract/types.ts'
import type { ErrorCodeReason, SandboxItemErrorCode } from '../../../generated/sandbox/types.ts'
import type { Context } from '../context.ts'
import { planCheck, startEvolution } from '../transactions/check.ts'
import { insertTransactions } from '../transactions/insert-transactions.ts'
import { pullTransactions } from '../transactions/pull.ts'
import type { AccountSpec } from '../world/item-spec.ts'
import { type AccountInput, insertAccount } from './insert-account.ts'
import { toProductColumns } from './item.ts'
import { type AccountRow, type ItemRow, insertItemRow } from './store.ts'

/** What is wrong with an Item. */
export interface HealthInput {
  error_code: SandboxItemErrorCode
  error_code_reason?: ErrorCodeReason | null
  /** The products that fail; left out, all do. */
  products?: readonly Product[] | null
}

/** An Item with all that it holds. */
export interface ItemInput {
  item_id?: string
  access_token?: string
  institution: { institution_id: string; name: string } | null
  webhook?: string | null
  auth_method?: AuthMethod | null
  update_type?: UpdateType
  consent_expiration_time?: string | null
  /** What it was set up with. */
  products: readonly Product[]
  available_products: readonly Product[]
  consented_products: readonly Product[]
  error?: HealthInput | null
  user_id?: string | null
  created_at?: string
  removed_at?: string | null
  /** How far its history was read; left out, nothing was asked for yet. */
  transactions_status?: ItemRow['transactions_status']
  days_requested?: number | null
  /** Where its data goes on from with the clock; left out, it stays as it is. */
  evolution?: { seed: string; since: string } | null
  accounts: readonly (AccountInput & Pick<AccountSpec, 'transactions'>)[]
}

export interface InsertedItem {
  item: ItemRow
  accounts: AccountRow[]
  access_token: string
}

/** Writes an Item with its accounts and all that its institution knows of them. */
export async function insertItem(ctx: Context, input: ItemInput): Promise<InsertedItem> {
  const access_token = input.access_token ?? ctx.newId('access_token')
  const item = toItemRow(ctx, input)
  await insertItemRow(ctx, item, access_token)
  const accounts: AccountRow[] = []
  for (const [index, spec] of input.accounts.entries()) {
    const account = await insertAccount(ctx, item, index, spec)
    accounts.push(account)
  }
  const transactions = input.accounts.flatMap((spec, index) =>
    spec.transactions.map((transaction) => ({
      account_id: accounts[index]?.account_id ?? '',
      transaction,
    })),
  )
  // In the order in which they happened, whatever account they are on.
  transactions.sort((a, b) => compare(a.transaction.date, b.transaction.date))
  await insertTransactions(ctx, item.item_id, transactions, { shown: false })
  await pullTransactions(ctx, item)
  await planGoingOn(ctx, item, input)
  return { item, accounts, access_token }
}

/** Plans what the institution will tell later. */
async function planGoingOn(ctx: Context, item: ItemRow, { evolution }: ItemInput): Promise<void> {
  if (item.removed_at !== null) return
  if (evolution) await startEvolution(ctx, item, evolution.since)
  else if (item.transactions_status !== null) await planCheck(ctx, item)
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function toItemRow(ctx: Context, input: ItemInput): ItemRow {
  const { institution, evolution } = input
  return {
    item_id: input.item_id ?? ctx.newId('opaque'),
    institution_id: institution?.institution_id ?? null,
    institution_name: institution?.name ?? null,
    webhook: input.webhook ?? null,
    auth_method: input.auth_method ?? null,
    update_type: input.update_type ?? 'background',
    consent_expiration_time: input.consent_expiration_time ?? null,
    ...toProductColumns({
      products: input.products,
      available: input.available_products,
      consented: input.consented_products,
    }),
    ...toHealthColumns(input.error ?? null),
    evolves: evolution ? 1 : 0,
    seed: evolution?.seed ?? null,
    user_id: input.user_id ?? null,
    transactions_status: input.transactions_status ?? null,
    days_requested: input.days_requested ?? null,
    transactions_sequence: 0,
    uses_sync: 0,
    removed_at: input.removed_at ?? null,
    created_at: input.created_at ?? ctx.now,
  }
}

/** The columns of an Item's health; null for a healthy one. */
export const toHealthColumns = (error: HealthInput | null) => ({
  health_error: error?.error_code ?? null,
  health_reason: error?.error_code_reason ?? null,
  health_products: error?.products ? JSON.stringify(error.products) : null,
})
