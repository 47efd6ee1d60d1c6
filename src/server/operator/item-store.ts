import type { Queries } from '../kernel/database.ts'

/** An Item as operators see it in a list. */
export interface ListedItem {
  client_id: string
  item_id: string
  institution_id: string | null
  institution_name: string | null
  /** What reads its data; null where the service has it from seed data. */
  connector: string | null
  health_error: string | null
  webhook: string | null
  created_at: string
  removed_at: string | null
}

/** An Item with how much it has. */
export interface CountedItem extends ListedItem {
  accounts: number
  transactions: number
}

/** An account whose files have signs that an operator has said. */
export interface SignedAccount {
  account_id: string
  name: string
  /** JSON: by format. */
  signs: string
}

const columns = `items.client_id, items.item_id, items.institution_id, institution_name, connector,
  health_error, webhook, items.created_at, removed_at`
const source = `left join item_sources on item_sources.client_id = items.client_id
  and item_sources.item_id = items.item_id`

/** The Items of all clients. */
export const listItems = (db: Queries) =>
  db.all<ListedItem>(
    `select ${columns} from items ${source} order by items.created_at, items.item_id`,
  )

/** The Items of one client. */
export const listItemsOf = (db: Queries, clientId: string) =>
  db.all<ListedItem>(
    `select ${columns} from items ${source} where items.client_id = $1
      order by items.created_at, items.item_id`,
    [clientId],
  )

/** The accounts of an Item whose files have signs of their own. */
export const listSignedAccounts = (db: Queries, { client_id, item_id }: ListedItem) =>
  db.all<SignedAccount>(
    `select account_id, name, signs
      from source_accounts join accounts on accounts.client_id = source_accounts.client_id
        and accounts.item_id = source_accounts.item_id
        and accounts.account_key = source_accounts.account_key
      where source_accounts.client_id = $1 and source_accounts.item_id = $2 and signs is not null
      order by source_accounts.account_key`,
    [client_id, item_id],
  )

export const findListedItem = (db: Queries, itemId: string) =>
  db.first<CountedItem>(
    `select ${columns},
        (select count(*) from accounts where accounts.client_id = items.client_id
          and accounts.item_id = items.item_id) as accounts,
        (select count(*) from transactions where transactions.client_id = items.client_id
          and transactions.item_id = items.item_id and removed = 0) as transactions
      from items ${source} where items.item_id = $1`,
    [itemId],
  )
