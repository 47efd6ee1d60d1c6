import type { Context } from '../kernel/context.ts'
import { type PageRow, pageColumns, shown } from './store.ts'

/** `$4, $5, $6` for a list of values that starts at the fourth parameter. */
const parametersFrom = (first: number, values: readonly string[]): string =>
  values.map((_, index) => `$${first + index}`).join(', ')

/** A condition for the requested accounts; null means all. */
export const onAccounts = (first: number, accountIds: readonly string[] | null): string => {
  if (accountIds === null) return ''
  return accountIds.length === 0
    ? 'and 1 = 0'
    : `and account_id in (${parametersFrom(first, accountIds)})`
}

/** Days, both included, and accounts; null means all. */
export interface Range {
  from: string
  to: string
  accountIds: readonly string[] | null
}

/** A page of the shown transactions of some days, latest first. */
export const listByDate = (
  ctx: Context,
  itemId: string,
  { from, to, accountIds }: Range,
  page: { count: number; offset: number; isStoredForm: boolean },
) =>
  ctx.own.all<PageRow>(
    `select ${pageColumns(page.isStoredForm)} from transactions
      where client_id = $1 and item_id = $2 and date >= $3 and date <= $4 and ${shown}
        ${onAccounts(7, accountIds)}
      order by date desc, insertion desc limit $5 offset $6`,
    [itemId, from, to, page.count, page.offset, ...(accountIds ?? [])],
  )

export async function countByDate(
  ctx: Context,
  itemId: string,
  { from, to, accountIds }: Range,
): Promise<number> {
  const row = await ctx.own.first<{ total: number }>(
    `select count(*) as total from transactions
      where client_id = $1 and item_id = $2 and date >= $3 and date <= $4 and ${shown}
        ${onAccounts(5, accountIds)}`,
    [itemId, from, to, ...(accountIds ?? [])],
  )
  return row?.total ?? 0
}
