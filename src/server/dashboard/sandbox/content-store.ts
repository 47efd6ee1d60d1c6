import type { DashboardContent } from '../../../../generated/dashboard/closed.ts'
import type { Context } from '../../kernel/context.ts'

type Kind = DashboardContent['kind']

/** In the order of the page. Each has the name of its table. */
const kinds: readonly Kind[] = [
  'items',
  'users',
  'transfers',
  'bank_transfer_events',
  'wallets',
  'identity_verifications',
  'asset_reports',
  'institutions',
  'dashboard_users',
]

const contentCounts = kinds.map(
  (kind) =>
    `select '${kind}' as kind, (select count(*) from
       (select 1 as one from ${kind} where client_id = $1 limit $2) as counted) as count`,
)

/** How many of each kind the client has, counted up to a limit. */
export const countContents = (ctx: Context, limit: number) =>
  ctx.own.all<{ kind: Kind; count: number }>(contentCounts.join(' union all '), [limit])
