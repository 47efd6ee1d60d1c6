import type { Context } from '../../kernel/context.ts'

interface ListedError {
  injection_id: string
  operation_id: string
  fault: string
  times: number
  item_id: string | null
}

/** The client's injected errors, the oldest first. */
export const listInjectedErrors = (ctx: Context, limit: number) =>
  ctx.own.all<ListedError>(
    `select injection_id, operation_id, fault, times, items.item_id
      from injected_errors as errors
      left join items on items.client_id = errors.client_id
        and items.access_token_hash = errors.access_token_hash
      where errors.client_id = $1 order by sequence limit $2`,
    [limit],
  )

/** The hash of the access token of an Item that was not removed. */
export const findTokenHash = async (ctx: Context, itemId: string): Promise<string | undefined> =>
  (
    await ctx.own.first<{ access_token_hash: string }>(
      `select access_token_hash from items
        where client_id = $1 and item_id = $2 and removed_at is null`,
      [itemId],
    )
  )?.access_token_hash
