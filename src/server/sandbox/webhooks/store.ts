import type { Context } from '../../kernel/context.ts'
import { shown } from '../../transactions/store.ts'

/** The number of shown transactions that are dated on or after a day, and before it. */
export async function countShown(
  ctx: Context,
  itemId: string,
  day: string,
): Promise<{ since: number; before: number }> {
  const row = await ctx.own.first<{ since: number; before: number }>(
    `select count(case when date >= $3 then 1 end) as since,
        count(case when date < $3 then 1 end) as before
      from transactions where client_id = $1 and item_id = $2 and ${shown}`,
    [itemId, day],
  )
  return row ?? { since: 0, before: 0 }
}
