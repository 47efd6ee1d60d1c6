import { createHash } from 'node:crypto'
import {
  type Database,
  onlyReading,
  type Queries,
  type TransactionOptions,
  type Work,
} from '../kernel/database.ts'
import { type Connection, openConnection } from './connection.ts'
import { none, openFirst, type Patience } from './first-connection.ts'
import { createKeyMutex } from './key-mutex.ts'
import { connectMs, limitsOf, noLimits, type TimeLimits } from './limits.ts'
import { createPool, NoConnection, type Pool } from './pool.ts'
import { retrying } from './retry.ts'
import { createOpening, serversOf, settingsOf } from './servers.ts'
import { beginSession, type Session, toQueries } from './session.ts'
import { createSharedCommits } from './shared-commits.ts'
import { createSharedConnection } from './shared-connection.ts'
import { createSharedReads, sharingStatements } from './shared-reads.ts'
import { isOverTime, LostConnection, StatementError } from './statement-error.ts'

const usualSize = 10
/** Identifies the lock for work that only one process may do at a time. */
const exclusiveLock = 7_240_115_831
/** The server's error code for a write in a read-only transaction. */
const onlyReads = '25006'

const begins = {
  serializable: 'begin isolation level serializable',
  row: 'begin isolation level read committed',
  snapshot: 'begin isolation level repeatable read, read only',
}

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

/**
 * Runs each transaction on its own connection, and those of one owner one after the other. Each
 * holds the owner's lock, so its statements see all earlier commits of that owner. The effect is
 * serial execution, and no transaction has to be repeated because of another. The server's
 * `serializable` level would abort transactions of different owners whose rows are adjacent in an
 * index.
 */
function createTransact(pool: Pool) {
  const mutex = createKeyMutex()
  return <Result>(
    work: (session: Session) => Promise<Result>,
    options: TransactionOptions<Result>,
  ): Promise<Result> => {
    const { isolation = 'serializable', owner = '', isShort = false, ifBusy } = options
    const run = (since: number, begin: string, its = work) =>
      onConnection(pool, since, (connection) => runOn(connection, begin, its))
    if (ifBusy !== undefined) {
      const its = unlessBusy(work, owner, ifBusy)
      return retrying((since) => run(since, begins.row, its), { chosenKeys: true })
    }
    if (isolation === 'row') {
      const begin = owner === '' ? begins.row : `${begins.row}; ${lockShared(owner)}`
      return retrying((since) => run(since, begin))
    }
    const begin = owner === '' ? begins.serializable : `${begins.row}; ${lock(owner)}`
    return retrying(
      // Long transactions wait here, so that they do not occupy connections during the wait.
      (since) =>
        owner === '' || isShort
          ? run(since, begin)
          : mutex.run(owner, since, () => run(since, begin)),
      { chosenKeys: true },
    )
  }
}

/** Runs `work` if the owner's lock is free. Otherwise returns `ifBusy`. */
const unlessBusy =
  <Result>(work: (session: Session) => Promise<Result>, owner: string, ifBusy: Result) =>
  async (session: Session): Promise<Result> => {
    const locked = await session.queries.first<{ free: number }>(tryLock(owner))
    return locked?.free ? work(session) : ifBusy
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

async function onConnection<Result>(
  pool: Pool,
  since: number,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire(since)
  try {
    return await work(connection)
  } finally {
    pool.release(connection)
  }
}

/** Runs `work` and commits what it wrote, if all of its statements succeeded. */
async function runOn<Result>(
  connection: Connection,
  begin: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = beginSession(connection, begin)
  try {
    const result = await work(session)
    await session.commit()
    return result
  } catch (error) {
    await session.rollback()
    const failure = session.failure() ?? error
    if (failure === session.notBegun()) throw toBusy(failure)
    throw leavingStandby(connection, failure)
  }
}

/** `begin` takes long only if it waits for a lock. */
function toBusy(error: unknown): unknown {
  if (!isOverTime(error)) return error
  return new NoConnection('the writes of one client wait for each other', { isBusy: true })
}

/**
 * A server that starts to reject writes has become a standby, so the service connects to another
 * one.
 */
function leavingStandby(connection: Connection, error: unknown): unknown {
  if (!(error instanceof StatementError) || error.code !== onlyReads) return error
  connection.drop()
  return new LostConnection(error.message)
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

/** The number of an owner's lock, equal in all processes. */
const keyOf = (owner: string): bigint =>
  createHash('sha256').update(owner).digest().readBigInt64BE()

/** Waits for the owner's lock, and holds it until the transaction ends. */
const lock = (owner: string): string => `select pg_advisory_xact_lock(${keyOf(owner)})`

/** Takes the lock if it is free. Returns whether it did. */
const tryLock = (owner: string): string =>
  `select pg_try_advisory_xact_lock(${keyOf(owner)}) as free`

/**
 * Takes the lock in shared mode, for work that only locks rows. Without it row locks could
 * deadlock.
 */
const lockShared = (owner: string): string => `select pg_advisory_xact_lock_shared(${keyOf(owner)})`

/** Runs `work` on one snapshot. */
async function readOn<Result>(
  connection: Connection,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = beginSession(connection, begins.snapshot)
  try {
    const result = await work(session)
    await session.leave()
    return result
  } catch (error) {
    await session.rollback()
    throw session.failure() ?? error
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
