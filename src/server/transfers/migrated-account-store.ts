import type { Context } from '../kernel/context.ts'

/** A user's bank account from a migration request. */
interface MigratedAccount {
  access_token: string
  account_id: string
  account_number: string
  routing_number: string
  wire_routing_number?: string
  account_type: 'checking' | 'savings'
}

const migratedProducts = JSON.stringify(['auth', 'transfer'])

/** Writes an Item without an institution for a migrated account, and that account. */
export async function insertMigratedAccount(ctx: Context, account: MigratedAccount): Promise<void> {
  const itemId = ctx.newId('opaque')
  await ctx.own.run(
    `insert into items
       (client_id, item_id, access_token_hash, auth_method, update_type, available_products,
        billed_products, products, consented_products, created_at)
     values ($1, $2, $3, 'TRANSFER_MIGRATED', 'background', '[]', $4, $4, $4, $5)`,
    [itemId, ctx.keys.hash(account.access_token), migratedProducts, ctx.now],
  )
  const wire = account.wire_routing_number
  await ctx.own.run(
    `insert into accounts
       (client_id, item_id, account_key, account_id, type, subtype, name, mask, available, current,
        iso_currency_code, owners, account_number, routing_number, wire_routing_number)
     values ($1, $2, 0, $3, 'depository', $4, $5, $6, 0, 0, 'USD', '[]', $7, $8, $9)`,
    [
      itemId,
      account.account_id,
      account.account_type,
      account.account_type === 'checking' ? 'Checking' : 'Savings',
      account.account_number.slice(-4),
      ctx.keys.encrypt(account.account_number),
      ctx.keys.encrypt(account.routing_number),
      wire === undefined ? null : ctx.keys.encrypt(wire),
    ],
  )
}

/** Whether a migrated account lacks the routing number for wires. */
export const lacksWireRouting = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await ctx.own.first(
    `select 1 as found from accounts join items
         on items.client_id = accounts.client_id and items.item_id = accounts.item_id
      where accounts.client_id = $1 and accounts.account_id = $2
        and items.auth_method = 'TRANSFER_MIGRATED' and accounts.wire_routing_number is null`,
    [accountId],
  )) !== undefined
