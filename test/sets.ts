import { globSync } from 'node:fs'
import { join } from 'node:path'

// Which test files run where. `npm test` runs the usual ones, `npm run test:all` every one.

const root = join(import.meta.dirname, '..')

const server = (names: string): string => `test/server/{${names}}.test.ts`

/**
 * What only `npm run test:all` runs: each of these packs, builds or installs the project anew, or
 * repeats for every page, operation or row what a usual file shows for a few.
 */
export const onlyInAll: readonly string[] = [
  'test/package/**/*.test.ts',
  'test/docs/{base,browser-matrix}.test.ts',
  server('invented-version'),
]

/** The files of the service's tests that have nothing to do with the store, or choose one themselves. */
export const withoutEngine: readonly string[] = [
  server(
    'compiled-code,cors,docs-readers,every-operation-versions,guess-limits,hosts,http-edge,identity-verification-checks,ids,institutions-directories,institutions-directory,invented-version,jobs-command,kept-rows,list-text,many-processes,mock-and-service,options,peer-address,proxy,retry,shared-commits,shared-reads,small-rules,sqlite,start,start-data,transactions-model,transfers-calendar,transfers-reasons,unknown-fields,version-files,version-steps,versions-edit-text,versions-equation,watch-writes,world-files',
  ),
  'test/server/world/**',
]

/**
 * The files that `npm test` runs on PostgreSQL as well as on SQLite: those whose claims rest on what
 * the engines do each in its own way. `plans` runs every statement of the service once.
 */
export const onBothEngines: readonly string[] = [
  // Transactions, locks and isolation.
  server('clock-guard,durability,items-at-once,shared-lane,tokens-exchange,tokens-revoke'),
  server('transactions-refresh,transfers-create,transfers-refunds'),
  // Statements: plans, order, pagination, texts, numbers and times.
  server('hostile-text,identity-verification-list,institutions,plans,request-logs,timestamps'),
  server('transactions-cursors,transactions-get,transactions-sync,transfers'),
  // Rows of later work and of webhooks, and what is deleted.
  server('jobs-clock,jobs-dead,jobs-due,retention,webhooks,webhooks-database,webhooks-restart'),
  // Errors of the store, and what is told of it.
  server('health,metrics,store-away'),
  // All data at once: migrations, a fill, a reset, a load, another key, a backup.
  server('backup,bulk-load,key-rotation,migrations,sandbox-world,world-start'),
]

export const onlyPostgres: readonly string[] = ['test/server/postgres*.test.ts']

const left = new Set(globSync([...onlyInAll], { cwd: root }))

/** Whether `npm test` runs a file, on SQLite at least. */
export const isUsual = (file: string): boolean => !left.has(file)
