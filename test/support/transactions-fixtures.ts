import type {
  Transaction,
  TransactionsSyncRequest,
  TransactionsSyncResponse,
} from '#contract/types.ts'
import { findClient } from '../../src/server/clients/store.ts'
import { findItem, type ItemRow } from '../../src/server/items/store.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import { toMinor } from '../../src/server/kernel/money.ts'
import { addDays } from '../../src/server/kernel/time.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import type { AccountSpec } from '../../src/server/simulation/item-spec.ts'
import { insertTransactions } from '../../src/server/transactions/insert-transactions.ts'
import {
  type PlainTransaction,
  toPlainSpec,
} from '../../src/server/transactions/plain-transaction.ts'
import type { Body, Tenant, TestService } from './service.ts'

/** The real time of these tests; each tenant's clock starts here. */
export const start = '2026-03-16T12:00:00Z'
export const today = '2026-03-16'
export const daysAgo = (days: number): string => addDays(today, -days)

/** Runs work as a handler would: in a transaction, with a context. */
export const inContext = <Result>(
  { service }: TestService,
  tenant: Tenant,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  service.database.transaction(async (db) => {
    const client = await findClient(db, tenant.clientId)
    if (!client) throw new Error('the tenant has no client')
    const now = service.clock() + client.clock_offset_ms
    return work(createContext(service, db, { client, now }).ctx)
  })

/** Does what is due. */
export const settle = (tenant: Tenant) => tenant.control('sandboxClockAdvance', { seconds: 0 })

export interface Linked {
  access_token: string
  item_id: string
  /** By subtype. */
  accounts: Record<string, string>
}

type Kind = Pick<AccountSpec, 'type' | 'subtype'>

const kinds: readonly Kind[] = [
  { type: 'depository', subtype: 'checking' },
  { type: 'credit', subtype: 'credit card' },
  { type: 'loan', subtype: 'student' },
  { type: 'loan', subtype: 'mortgage' },
  { type: 'investment', subtype: 'brokerage' },
]

export interface ItemOptions {
  kinds?: readonly Kind[]
  webhook?: string | null
  institution_id?: string | null
  /** The products that it can have besides those that it has. */
  available?: readonly string[]
  products?: readonly string[]
  seed?: string
}

const unreachable = 'http://127.0.0.1:9/hooks'

/** An Item without transactions, of a tenant. */
export async function insertTestItem(
  service: TestService,
  tenant: Tenant,
  options: ItemOptions = {},
): Promise<Linked> {
  const { available = ['transactions'], products = [], seed, institution_id = null } = options
  const [item_id, access_token] = [newId('opaque', ''), newId('access_token', 'sandbox')]
  const { webhook = unreachable } = options
  const accounts: Record<string, string> = {}
  await inContext(service, tenant, async (ctx) => {
    const listed = JSON.stringify(products)
    await ctx.db.run(
      `insert into items (client_id, item_id, access_token_hash, institution_id, webhook,
          update_type, available_products, billed_products, products, consented_products, evolves,
          seed, created_at)
        values ($1, $2, $3, $4, $5, 'background', $6, $7, $7, $8, $9, $10, $11)`,
      [
        tenant.clientId,
        item_id,
        ctx.keys.hash(access_token),
        institution_id,
        webhook,
        JSON.stringify(available),
        listed,
        JSON.stringify([...available, ...products]),
        seed === undefined ? 0 : 1,
        seed ?? null,
        ctx.now,
      ],
    )
    for (const [key, kind] of (options.kinds ?? kinds).entries()) {
      const account_id = newId('opaque', '')
      accounts[String(kind.subtype)] = account_id
      await insertAccount(ctx, item_id, key, { ...kind, account_id })
    }
  })
  return { access_token, item_id, accounts }
}

async function insertAccount(
  ctx: Context,
  itemId: string,
  key: number,
  { type, subtype, account_id, balances }: Kind & Partial<AccountSpec>,
): Promise<void> {
  const minor = (amount: number | null | undefined) => (amount == null ? null : toMinor(amount))
  await ctx.db.run(
    `insert into accounts (client_id, item_id, account_key, account_id, type, subtype, name,
        available, current, credit_limit, iso_currency_code, owners)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'USD', '[]')`,
    [
      ctx.client.client_id,
      itemId,
      key,
      account_id ?? newId('opaque', ''),
      type,
      subtype,
      `An account of type ${type}`,
      minor(balances?.available ?? 100),
      minor(balances?.current ?? 100) ?? 0,
      minor(balances?.limit),
    ],
  )
}

/** What the institution knows of an Item; without an account, on its checking account. */
export type Known = Partial<PlainTransaction> & { account_id?: string }

/** A transaction on each of the last five days. */
export const fiveDays: readonly Known[] = [4, 3, 2, 1, 0].map((days) => ({
  date: daysAgo(days),
  amount: 10 + days,
}))

/** Lets the institution know transactions that the Item has not pulled. */
export const insertKnown = (
  service: TestService,
  tenant: Tenant,
  { item_id, accounts }: Linked,
  known: readonly Known[],
): Promise<string[]> =>
  inContext(service, tenant, (ctx) =>
    insertTransactions(
      ctx,
      item_id,
      known.map(({ account_id = String(accounts['checking']), ...plain }) => ({
        account_id,
        transaction: toPlainSpec({
          amount: 12.5,
          date: today,
          authorized_date: null,
          iso_currency_code: 'USD',
          unofficial_currency_code: null,
          description: 'OAKMARKET #17',
          pending: false,
          ...plain,
        }),
      })),
      { shown: false },
    ),
  )

/** The row of an Item. */
export const readItem = async (
  service: TestService,
  tenant: Tenant,
  { item_id }: Linked,
): Promise<ItemRow> => {
  const row = await inContext(service, tenant, (ctx) => findItem(ctx, item_id))
  if (!row) throw new Error('there is no such Item')
  return row
}

/** An Item whose history is complete: transactions of these days, the checking account's. */
export async function insertReadyItem(
  service: TestService,
  tenant: Tenant,
  known: readonly Known[],
  options: ItemOptions = {},
): Promise<Linked & { ids: string[] }> {
  const item = await insertTestItem(service, tenant, options)
  const ids = await insertKnown(service, tenant, item, known)
  await tenant.api.transactionsSync({ access_token: item.access_token })
  await settle(tenant)
  return { ...item, ids }
}

/** The webhooks of an Item since it was last asked, as they were written. */
export async function takeWebhooks(
  service: TestService,
  tenant: Tenant,
  { item_id }: Linked,
): Promise<Body[]> {
  return inContext(service, tenant, async (ctx) => {
    const values = [ctx.client.client_id, item_id]
    const rows = await ctx.db.all<{ body: string }>(
      `select body from webhook_deliveries where client_id = $1 and item_id = $2
        order by sequence`,
      values,
    )
    await ctx.db.run('delete from webhook_deliveries where client_id = $1 and item_id = $2', values)
    return rows.map(({ body }) => JSON.parse(body))
  })
}

export const codesOf = (webhooks: readonly Body[]) => webhooks.map((body) => body['webhook_code'])

export const idsOf = (transactions: readonly Pick<Transaction, 'transaction_id'>[]): string[] =>
  transactions.map((transaction) => transaction.transaction_id)

/** The status and code of an answer that rejects. */
export async function errorOf(tenant: Tenant, path: string, body: unknown) {
  const { status, body: answer } = await tenant.post(path, body)
  return { status, type: answer['error_type'], code: answer['error_code'] }
}

export const rejectedWith = (type: string, code: string) => ({ status: 400, type, code })

/** A page of sync; throws when it is rejected. */
export async function sync(
  tenant: Tenant,
  { access_token }: Linked,
  more: Partial<TransactionsSyncRequest> = {},
): Promise<TransactionsSyncResponse> {
  const { data, error } = await tenant.api.transactionsSync({ access_token, ...more })
  if (error) throw new Error(JSON.stringify(error))
  return data
}
