import type { Context } from '../../kernel/context.ts'
import type { Filter } from '../filter.ts'

/** An Item as lists show it. */
export interface ItemListRow {
  item_id: string
  institution_id: string | null
  institution_name: string | null
  /** What reads its data; null where the service has made the data. */
  connector: string | null
  health_error: string | null
  created_at: string
  removed_at: string | null
}

const columns = `items.item_id, items.institution_id, institution_name, connector, health_error,
  items.created_at, removed_at`
const sources = `left join item_sources on item_sources.client_id = $1
    and item_sources.item_id = items.item_id`

/** The client's Items before one of them, the newest first. */
export const listItemPage = (
  ctx: Context,
  before: { created_at: string; item_id: string },
  limit: number,
  filter: Filter,
) =>
  ctx.own.all<ItemListRow>(
    `select ${columns} from items ${sources}
      where items.client_id = $1 and (items.created_at, items.item_id) < ($2, $3)${filter.sql}
      order by items.created_at desc, items.item_id desc limit $4`,
    [before.created_at, before.item_id, limit, ...filter.values],
  )

/** An Item beside one of its accounts. Without accounts there is one row, whose `account_id` is null. */
export interface ItemAccountRow extends ItemListRow {
  webhook: string | null
  products: string
  consented_products: string
  consent_expiration_time: string | null
  update_type: string
  transactions_updated_at: string | null
  transactions: number
  account_id: string | null
  type: string
  subtype: string | null
  name: string
  mask: string | null
  iso_currency_code: string | null
  unofficial_currency_code: string | null
  current: number
  available: number | null
  credit_limit: number | null
  closed: number
}

/** Counting more takes longer, and says no more. */
const mostCounted = 10_000

/** An Item with its accounts, in their order. */
export const listAccountsOf = (ctx: Context, itemId: string) =>
  ctx.own.all<ItemAccountRow>(
    `select ${columns}, webhook, products, consented_products, consent_expiration_time, update_type,
        transactions_updated_at,
        (select count(*) from (select 1 from transactions where client_id = $1 and item_id = $2
            and removed = 0 and added_sequence is not null limit ${mostCounted}) as counted)
          as transactions,
        account_id, type, subtype, name, mask, iso_currency_code, unofficial_currency_code,
        current, available, credit_limit, closed
      from items ${sources}
        left join accounts on accounts.client_id = $1 and accounts.item_id = items.item_id
      where items.client_id = $1 and items.item_id = $2 order by account_key`,
    [itemId],
  )

/**
 * The Item that an id, or the hash of a token, belongs to. A transaction is looked for in each Item of
 * the client, by its key: an index for this alone would cost every import.
 */
export const findItemOf = (ctx: Context, text: string, hash: string) =>
  ctx.own.first<{ item_id: string }>(
    `select item_id from (
        select item_id from items where client_id = $1 and item_id = $2
       union select item_id from accounts where client_id = $1 and account_id = $2
       union select item_id from items where client_id = $1 and exists (select 1
          from transactions where transactions.client_id = $1
            and transactions.item_id = items.item_id and transaction_id = $2)
       union select item_id from webhook_deliveries where webhook_id = $2 and client_id = $1
       union select item_id from items where client_id = $1 and access_token_hash = $3
       union select item_id from public_tokens where client_id = $1 and token_hash = $3
      ) as found where item_id is not null limit 1`,
    [text, hash],
  )
