/** A folder of `src/server`. */
export interface Room {
  name: string
  /** What lives there. */
  holds: string
  /** Whether it is named after a tag of the contract. */
  isTag?: true
}

const tag = (name: string, holds: string): Room => ({ name, holds, isTag: true })

/** The rooms of the service, bottom first: each may import from those before it, and from itself. */
export const rooms: readonly Room[] = [
  {
    name: 'kernel',
    holds: 'context, errors, ids, time, money, keys, operation types; no database, no HTTP',
  },
  { name: 'db', holds: 'the engines, SQLite and PostgreSQL, and the migrations' },
  { name: 'protocols', holds: 'calls banks and services by their protocols; no database' },
  { name: 'config', holds: 'options, secret files, the data folder, the encryption key' },
  { name: 'observe', holds: 'metrics, traces and the log' },
  { name: 'data-keys', holds: 'the keys that encrypt columns, and their rotation' },
  { name: 'queue', holds: 'rows of later work and of webhooks' },
  { name: 'audit', holds: 'writes the log of who changed what' },
  { name: 'simulation', holds: 'the pure generator of accounts, transactions and liabilities' },
  tag('clients', 'the callers of the service, and what they may use'),
  tag('institutions', 'institutions and their search'),
  tag('users', 'users, and the users of the dashboard'),
  tag('tokens', 'OAuth tokens: grants, exchange, revocation'),
  tag('items', 'Items, accounts, identity and liabilities'),
  tag('transactions', 'transactions: sync, pages, refresh'),
  { name: 'sources', holds: 'imports bank statements into Items' },
  tag('asset-reports', 'asset reports'),
  tag('wallets', 'e-wallets'),
  tag('protect', 'fraud events'),
  tag('transfers', 'transfers, refunds, bank transfer events'),
  tag('identity-verification', 'identity verifications and their steps'),
  tag('link', 'link tokens, their sessions and pages, public tokens and their exchange'),
  tag('webhooks', 'the keys that sign webhooks, and those who listen for them'),
  { name: 'versions', holds: 'the steps between dated versions' },
  {
    name: 'pipeline',
    holds: 'what happens around every handler: admission, checks, limits, transaction, answer',
  },
  { name: 'outlet', holds: 'the SimpleFIN server, by which other programs read accounts' },
  { name: 'hosted', holds: 'pages for the users of applications: linking, step by step' },
  { name: 'http', holds: 'the HTTP edge: routes, connections, docs, health' },
  { name: 'worker', holds: 'does what is due: jobs, webhook deliveries, retention' },
  { name: 'fixtures', holds: 'loads files of seed data' },
  { name: 'sandbox', holds: 'the sandbox API by tag, and injected errors' },
  {
    name: 'operator',
    holds: 'commands of operators: clients, Items, imports, webhooks, audit log',
  },
  { name: 'dashboard', holds: 'what the pages of the dashboard ask for, by tag' },
  { name: 'agents', holds: 'the MCP server: tools of agents, and who may use them' },
  { name: 'boot', holds: 'puts the parts together, starts, pauses and backs up the service' },
]

/** What stands beside the rooms: the programs, which may import from all of them. */
export const programs: readonly string[] = ['main.ts', 'serve.ts']
