import type { DashboardContent } from '../../../../generated/dashboard/closed.ts'
import type { WorldClient } from '../../../../generated/sandbox/closed.ts'
import { findSetting } from '../../db/settings-store.ts'
import { findSeedData } from '../../fixtures/reload-client-data.ts'
import type { PageHandler } from '../page-handler.ts'
import { countContents } from './content-store.ts'

const mostCounted = 1000

export const dashboardSeedDataGet: PageHandler<'dashboardSeedDataGet'> = async (ctx) => {
  const found = await findSeedData(ctx)
  const fixture = await findSetting(ctx.db, 'fixture')
  const rows = await countContents(ctx, mostCounted + 1)
  const atStart = countAtStart(found?.client)
  return {
    source: found ? (fixture ? 'file' : 'default') : 'none',
    seed: found?.origin.seed ?? null,
    start_date: found?.origin.anchor ?? null,
    contents: rows.map(({ kind, count }) => ({
      kind,
      count: Math.min(Number(count), mostCounted),
      is_more: Number(count) > mostCounted,
      at_start: atStart[kind] ?? 0,
    })),
  }
}
dashboardSeedDataGet.reads = true

const countAtStart = (
  client: Partial<WorldClient> = {},
): Partial<Record<DashboardContent['kind'], number>> => ({
  items: client.items?.length ?? 0,
  users: client.users?.length ?? 0,
  transfers: client.transfers?.length ?? 0,
  // The creation is an event, too.
  bank_transfer_events: (client.bank_transfers ?? []).reduce(
    (sum, { events = [] }) => sum + 1 + events.length,
    0,
  ),
  wallets: client.wallets?.length ?? 0,
  identity_verifications: client.identity_verifications?.length ?? 0,
  dashboard_users: client.dashboard_users?.length ?? 0,
})
