import type { Context } from '../../kernel/context.ts'
import type { TimePlace } from '../newest-first.ts'

export interface EndUserRow {
  user_id: string
  client_user_id: string
  created_at: string
}

/** The client's users before one of them, the newest first. */
export const listEndUserPage = (ctx: Context, before: TimePlace, limit: number) =>
  ctx.own.all<EndUserRow>(
    `select user_id, client_user_id, created_at from users
      where client_id = $1 and (created_at, user_id) < ($2, $3)
      order by created_at desc, user_id desc limit $4`,
    [before.at, before.id, limit],
  )

/** The user with an id at the client, in a list of one. */
export const listByClientUserId = (ctx: Context, clientUserId: string) =>
  ctx.own.all<EndUserRow>(
    `select user_id, client_user_id, created_at from users
      where client_id = $1 and client_user_id = $2`,
    [clientUserId],
  )

/** A user beside one of their Items. Without Items there is one row, whose `item_id` is null. */
export interface EndUserItemRow extends EndUserRow {
  end_customer: string | null
  /** JSON without id numbers, as the next one. */
  identity: string | null
  consumer_report_user_identity: string | null
  ssn_full: string | null
  ssn_last_4: string | null
  /** Encrypted. */
  id_numbers: string | null
  item_id: string | null
  institution_name: string | null
  health_error: string | null
}

const mostItems = 50

/** A user with their Items. */
export const listItemsOfUser = (ctx: Context, userId: string) =>
  ctx.own.all<EndUserItemRow>(
    `select users.user_id, client_user_id, users.created_at, end_customer, identity,
        consumer_report_user_identity, ssn_full, ssn_last_4, id_numbers, item_id,
        institution_name, health_error
      from users left join items on items.client_id = $1 and items.user_id = $2
        and removed_at is null
      where users.client_id = $1 and users.user_id = $2
      limit ${mostItems}`,
    [userId],
  )
