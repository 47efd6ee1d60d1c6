import type { Context } from '../kernel/context.ts'

/** The last simulated day of an Item whose data evolves. Undefined for other Items. */
export async function findEvolvedOn(ctx: Context, itemId: string): Promise<string | undefined> {
  const row = await ctx.own.first<{ evolved_on: string }>(
    'select evolved_on from transaction_evolutions where client_id = $1 and item_id = $2',
    [itemId],
  )
  return row?.evolved_on
}

export async function saveEvolvedOn(ctx: Context, itemId: string, date: string): Promise<void> {
  await ctx.own.run(
    `insert into transaction_evolutions (client_id, item_id, evolved_on) values ($1, $2, $3)
      on conflict (client_id, item_id) do update set evolved_on = excluded.evolved_on`,
    [itemId, date],
  )
}

/** The change of an account's balances, in minor units. */
export interface BalanceChange {
  account_key: number
  current: number
  available: number
}

/**
 * Adds to an account's balances. A balance or time of reading that the institution does not give
 * stays null.
 */
export async function changeBalances(
  ctx: Context,
  itemId: string,
  change: BalanceChange,
): Promise<void> {
  await ctx.own.run(
    `update accounts set current = current + $4, available = available + $5,
        last_updated_datetime = case when last_updated_datetime is null then null else $6 end
      where client_id = $1 and item_id = $2 and account_key = $3`,
    [itemId, change.account_key, change.current, change.available, ctx.now],
  )
}
