import { type Database, onlyReading, type Queries, type Work } from '../kernel/database.ts'
import { type Connection, openConnection } from './connection.ts'
import { none, openFirst, type Patience } from './first-connection.ts'
import { connectMs, limitsOf, noLimits, type TimeLimits } from './limits.ts'
import { createPool } from './pool.ts'
import { begins, createTransact, onConnection, readOn, runOn } from './postgres-transactions.ts'
import { retrying } from './retry.ts'
import { createOpening, serversOf, settingsOf } from './servers.ts'
import { toQueries } from './session.ts'
import { createSharedCommits } from './shared-commits.ts'
import { createSharedConnection } from './shared-connection.ts'
import { createSharedReads, sharingStatements } from './shared-reads.ts'

const usualSize = 10
/** Identifies the lock for work that only one process may do at a time. */
const exclusiveLock = 7_240_115_831

/**
 * Opens a server's database, which several processes may share. `patience` is how long to wait for
 * an unavailable server.
 */
export async function openPostgres(url: string, patience: Patience = none): Promise<Database> {
  const open = openingOf(url, limitsOf(url))
  const pool = createPool(open, sizeOf(url), await openFirst(open, patience))
  const openPatient = openingOf(url, noLimits)
  const transact = createTransact(pool)
  const onSharedConnection = createSharedConnection(pool)
  const commitTogether = createSharedCommits((work, owner) =>
    transact(work, { owner, isShort: true }),
  )
  const readTogether = createSharedReads(
    (work) =>
      onConnection(pool, performance.now(), (connection) =>
        readOn(connection, ({ together, failure }) => work({ queries: together, failure })),
      ),
    (work) =>
      retrying((begun) =>
        onConnection(pool, begun, (connection) =>
          readOn(connection, ({ queries }) => work(queries)),
        ),
      ),
  )
  return {
    shared: true,
    single: onlyReading(
      toQueries(
        sharingStatements((sql, values) =>
          retrying((begun) =>
            onSharedConnection(begun, (connection) => connection.send(sql, values)),
          ),
        ),
      ),
    ),
    transaction: (work, options = {}) =>
      options.isShort && options.owner !== undefined
        ? commitTogether(work, options.owner, options.isSingle)
        : transact(({ queries }) => work(queries), options),
    read: (work, { isSingle = false } = {}) =>
      isSingle
        ? retrying((begun) => onSharedConnection(begun, ({ send }) => work(toQueries(send))))
        : readTogether(work),
    exclusive: (work) =>
      retrying(() => runExclusive(openPatient, (queries) => work(forDefinitions(queries)))),
    async analyze() {
      const connection = await openPatient()
      await analyze(connection).finally(() => connection.end())
    },
    close: () => pool.close(),
  }
}

/** Opens connections to the server of an address that accepts writes. */
function openingOf(url: string, limits: TimeLimits): () => Promise<Connection> {
  const servers = serversOf(url)
  const options = { connectMs: connectMs / servers.length, settings: settingsOf(url) }
  return createOpening(servers, (server) => openConnection(server, limits, options))
}

/** `?max=` of the address says how many connections a process may have. */
function sizeOf(url: string): number {
  const asked = Number(/[?&]max=(\d+)/.exec(url)?.[1])
  return asked > 0 ? asked : usualSize
}

/**
 * Otherwise statements are slower for the first minute, until the server analyzes the tables
 * itself. Not the empty ones: for a table that is known to be empty any index seems as good as
 * another, until the server analyzes it again.
 */
async function analyze({ send }: Connection): Promise<void> {
  const [row] = await send(
    `select string_agg(quote_ident(tablename), ', ') as tables from pg_tables
      where schemaname = current_schema() and tableowner = current_user
        and pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0`,
  )
  const tables = row?.['tables']
  if (tables) await send(`vacuum (analyze, skip_locked) ${tables}`)
}

/** Runs `work` on its own connection, without time limits. */
async function runExclusive<Result>(
  open: () => Promise<Connection>,
  work: Work<Result>,
): Promise<Result> {
  const connection = await open()
  try {
    const begin = `${begins.row}; select pg_advisory_xact_lock(${exclusiveLock})`
    return await runOn(connection, begin, ({ queries }) => work(queries))
  } finally {
    await connection.end()
  }
}

/** Compares and sorts text by its bytes, whatever the default collation of the database is. */
const forDefinitions = (queries: Queries): Queries => ({
  ...queries,
  run: (sql, values) =>
    queries.run(
      /^\s*create table/.test(sql) ? sql.replaceAll(/(?<=\w )text\b/g, 'text collate "C"') : sql,
      values,
    ),
})
