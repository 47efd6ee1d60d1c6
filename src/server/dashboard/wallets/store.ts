import type { Context } from '../../kernel/context.ts'
import type { WalletRow } from '../../wallets/wallet.ts'
import type { Filter } from '../filter.ts'

/** An e-wallet as lists show it; money in minor units. */
export type WalletListRow = Pick<
  WalletRow,
  'wallet_id' | 'sequence' | 'iso_currency_code' | 'current' | 'available' | 'status'
>

/** The client's e-wallets before a sequence number, the newest first. */
export const listWalletPage = (ctx: Context, before: number, limit: number, filter: Filter) =>
  ctx.own.all<WalletListRow>(
    `select wallet_id, sequence, iso_currency_code, current, available, status
      from wallets where client_id = $1 and sequence < $2${filter.sql}
      order by sequence desc limit $3`,
    [before, limit, ...filter.values],
  )
