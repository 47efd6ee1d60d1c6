import { globSync } from 'node:fs'
import { join } from 'node:path'

// Which test files run where. `npm test` runs the usual ones, `npm run test:all` every one.

const root = join(import.meta.dirname, '..')

const set = process.env['TEST_SET']

/** Whether this is `npm test`, and not a run of every test or of files that were chosen. */
export const isUsualRun = set === 'usual'
/** Whether files run on PostgreSQL only where the engines differ: by `npm test`, also for edits. */
export const isOnePerEngine = isUsualRun || set === 'edited'

const server = (names: string): string => `test/server/{${names}}.test.ts`

/**
 * What only `npm run test:all` runs: each of these packs, builds, installs or compiles the
 * project again, repeats for every page or process what a usual file shows for a few, starts the
 * service many times, or asks programs that others wrote.
 */
export const onlyInAll: readonly string[] = [
  'test/package/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/dashboard/matrix.test.ts',
  'test/dashboard/{pages,sandbox,simulations,verifications,webhooks}.test.ts',
  'test/docs/{base,browser,browser-matrix,samples,try-it}.test.ts',
  'test/bench/throughput.test.ts',
  'test/contract/{editor,mock,mutations,other-contract,shell-snippets,snippets}.test.ts',
  'test/contract/{snippet-types,source-mistakes,types}.test.ts',
  'test/conform/{command,mock,proxy}.test.ts',
  'test/diff/{base,random-edits}.test.ts',
  'test/scripts/{arguments,contract-error}.test.ts',
  'test/statements/{programs,round-trip}.test.ts',
  'test/testing/processes.test.ts',
  server(
    'backup,command-ends,hosted-file-browser,hosted-file-faults,hosted-link-browser,hosted-verify-memory,hosted-verify-production-browser,invented-version,key-rotation,link-script,operator-commands,seed-data-start,start-data',
  ),
  server('postgres-import-kills,postgres-kills,postgres-outage,postgres-processes'),
  server('agents-attacks,agents-conformance,conform-versions,postgres-seen-at-once,store-away'),
  // Each takes ten seconds and more.
  server('agents-secrets,bulk-load,conform,hosted-adding,hosted-columns,hosted-file'),
  server('identity-gateway,versions-equation'),
  server('institution-list-processes,operator-output,own-categories,plans,retention'),
  server('simplefin-year,start,upstream,upstream-year'),
]

/**
 * What runs by name only, as `npx vitest run FILE`: walks through all pages in several sizes and
 * colors, which take many minutes and have not been measured on a quiet machine.
 */
const byName: readonly string[] = [
  server('hosted-source-browser,hosted-verify-browser,hosted-verify-outcomes-browser'),
]
export const onlyByName = set === 'all' || isUsualRun ? byName : []

/** The files of the service's tests that have nothing to do with the store, or choose one themselves. */
export const withoutEngine: readonly string[] = [
  server('asset-reports-investments,backup,concurrency-limiter,cors,docs-option,docs-readers'),
  server('every-operation-versions'),
  // What they say of the contract is the same on each engine; `conform-versions` runs on both.
  server('check-plan,column-answers,conform,errors,seed-data-start'),
  server(
    'drain-barrier,fair-shares,guess-limits,hosted-file-browser,hosted-link-browser,hosted-source-browser,hosted-verify-browser,hosted-verify-memory,hosted-verify-outcomes-browser,hosted-verify-production-browser,hosts,http-edge,identity-verification-checks',
  ),
  server('identity-verification-people,free-memory,ids,institutions-directories'),
  server('institutions-directory,invented-version,jobs-command,read-cache,list-text'),
  server(
    'command-ends,command-socket,dashboard-pages,hosted-connect-views,hosted-link-https,hosted-rules,hosted-views,operator-commands',
  ),
  server(
    'json-mistake,link-script,log-output,many-processes,mock-and-service,options,peer-address,proxy',
  ),
  server('retry,scan-json,secret-files,shared-commits,shared-connection,shared-reads'),
  server(
    'boot-rules,pipeline-rules,pull-plan,simplefin-rules,small-rules,source-details,source-rules,unit-rules,sqlite,sqlite-copy,start,start-data,start-modules,transactions-model',
  ),
  server('transfers-calendar,transfers-reasons,unknown-fields,verification-rules,version-files'),
  server(
    'version-steps,versions-equation,watch-writes,seed-data-files,seed-data-json,seed-data-rules',
  ),
  'test/server/world/**',
]

/**
 * The files that `npm test` runs on PostgreSQL as well as on SQLite: those that depend on what
 * the engines do each in its own way.
 */
export const onBothEngines: readonly string[] = [
  // Transactions, locks and isolation.
  server('clock-guard,durability,items-at-once,tokens-exchange,tokens-revoke'),
  server('transfers-create,transfers-refunds'),
  // Statements: plans, order, pagination, texts, numbers and times.
  server('hostile-text,identity-verification-list,institutions,request-logs,timestamps'),
  server('idempotency,identity-gateway,verification-pictures'),
  server('transactions-cursors,transactions-get,transactions-sync,transfers'),
  // Rows of later work and of webhooks, and what is deleted.
  server('jobs-clock,jobs-dead,jobs-due,retention,webhooks-database'),
  // What is reported about the store.
  server('health,metrics'),
  // All data at once: migrations, a load, a reset.
  server('bulk-load,migrations,sandbox-world'),
]

export const onlyPostgres: readonly string[] = ['test/server/postgres*.test.ts']

const left = new Set(globSync([...onlyInAll, ...byName], { cwd: root }))

/** Whether `npm test` runs a file, on SQLite at least. */
export const isUsual = (file: string): boolean => !left.has(file)
