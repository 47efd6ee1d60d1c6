import type { Context } from '../../kernel/context.ts'
import type { TransferRow } from '../../transfers/rows.ts'
import type { Filter } from '../filter.ts'
import type { TimePlace } from '../newest-first.ts'

/** A transfer as lists show it; money in minor units. */
export type TransferListRow = Pick<
  TransferRow,
  | 'transfer_id'
  | 'type'
  | 'network'
  | 'amount'
  | 'iso_currency_code'
  | 'status'
  | 'sweep_status'
  | 'description'
  | 'created'
>

/** The client's transfers before one of them, the newest first. */
export const listTransferPage = (ctx: Context, before: TimePlace, limit: number, filter: Filter) =>
  ctx.own.all<TransferListRow>(
    `select transfer_id, type, network, amount, iso_currency_code, status, sweep_status,
        description, created
      from transfers where client_id = $1 and (created, transfer_id) < ($2, $3)${filter.sql}
      order by created desc, transfer_id desc limit $4`,
    [before.at, before.id, limit, ...filter.values],
  )
