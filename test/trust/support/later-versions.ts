import type { Change } from './program-copy.ts'

/** What a later version adds: a column, a table, an index, and a kind of work that it does later. */
export const later: readonly Change[] = [
  {
    file: 'src/server/db/migrations/9001-later.sql',
    from: '',
    to: `-- What came later.
alter table wallets add column nickname text not null default 'none';
create index wallets_nickname on wallets (client_id, nickname);
create table wallet_notes (
  client_id text not null,
  wallet_id text not null,
  note text not null,
  primary key (client_id, wallet_id)
);
`,
  },
  {
    file: 'src/server/wallets/walletCreate.ts',
    from: '  return toWallet(',
    to: `  await ctx.db.run(
    "update wallets set nickname = 'new' where client_id = $1 and wallet_id = $2",
    [ctx.client.client_id, wallet_id],
  )
  await (ctx.schedule as (kind: string, payload: object) => Promise<void>)('walletNote', { wallet_id })
  return toWallet(`,
  },
  {
    file: 'src/server/worker/job-kinds.ts',
    from: '  ...assetReportJobs,',
    to: `  ...assetReportJobs,
  walletNote: async (ctx: any, { wallet_id }: any) => {
    const sql = "insert into wallet_notes (client_id, wallet_id, note) values ($1, $2, 'noted')"
    await ctx.db.run(sql, [ctx.client.client_id, wallet_id])
  },`,
  },
]

/** Later still: nothing that the present program can run beside. */
export const takingAway: readonly Change[] = [
  {
    file: 'src/server/db/migrations/9002-contract.sql',
    from: '',
    to: '-- oldest program: 9001\ndrop table rate_windows;\n',
  },
]
