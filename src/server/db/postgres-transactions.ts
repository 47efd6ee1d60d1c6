import { createHash } from 'node:crypto'
import type { TransactionOptions } from '../kernel/database.ts'
import type { Connection } from './connection.ts'
import { createKeyMutex } from './key-mutex.ts'
import { NoConnection, type Pool } from './pool.ts'
import { retrying } from './retry.ts'
import { beginSession, type Session } from './session.ts'
import { isOverTime, LostConnection, StatementError } from './statement-error.ts'

/** The server's error code for a write in a read-only transaction. */
const onlyReads = '25006'

export const begins = {
  serializable: 'begin isolation level serializable',
  row: 'begin isolation level read committed',
  snapshot: 'begin isolation level repeatable read, read only',
}

/**
 * Runs each transaction on its own connection, and those of one owner one after the other. Each
 * holds the owner's lock, so its statements see all earlier commits of that owner. The effect is
 * serial execution, and no transaction has to be repeated because of another. The server's
 * `serializable` level would abort transactions of different owners whose rows are adjacent in an
 * index.
 */
export function createTransact(pool: Pool) {
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

export async function onConnection<Result>(
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
export async function runOn<Result>(
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
export async function readOn<Result>(
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
