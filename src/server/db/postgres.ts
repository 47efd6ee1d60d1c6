import { createHash } from 'node:crypto'
import {
  type Database,
  onlyReading,
  type Queries,
  type TransactionOptions,
  type Work,
} from '../kernel/database.ts'
import { none, openFirst, type Patience } from './first-connection.ts'
import { type Lane, openLane } from './lane.ts'
import { createLanes, type Lanes, NoLane } from './lanes.ts'
import { connectMs, limitsOf, noLimits, type TimeLimits } from './limits.ts'
import { retrying } from './retry.ts'
import { createOpening, serversOf, settingsOf } from './servers.ts'
import { beginSession, type Session, toQueries } from './session.ts'
import { createSharedCommits } from './shared-commits.ts'
import { createSharedLane } from './shared-lane.ts'
import { createSharedReads, sharingStatements } from './shared-reads.ts'
import { isOverTime, LostConnection, StatementError } from './statement-error.ts'
import { createTurns } from './turns.ts'

const usualSize = 10
/** Names the lock of what is done by one process at a time. */
const exclusiveLock = 7_240_115_831
/** The server's code for a write where only reading is allowed. */
const onlyReads = '25006'

const begins = {
  serializable: 'begin isolation level serializable',
  row: 'begin isolation level read committed',
  snapshot: 'begin isolation level repeatable read, read only',
}

/**
 * Opens a server's database, which any number of processes may share; `patience` says how long a
 * server is waited for that is away.
 */
export async function openPostgres(url: string, patience: Patience = none): Promise<Database> {
  const open = openingOf(url, limitsOf(url))
  const lanes = createLanes(open, sizeOf(url), await openFirst(open, patience))
  const openPatient = openingOf(url, noLimits)
  const transact = createTransact(lanes)
  const onSharedLane = createSharedLane(lanes)
  const commitTogether = createSharedCommits((work, owner) =>
    transact(work, { owner, isShort: true }),
  )
  const readTogether = createSharedReads(
    (work) =>
      onLane(lanes, performance.now(), (lane) =>
        readOn(lane, ({ together, failure }) => work({ queries: together, failure })),
      ),
    (work) =>
      retrying((begun) =>
        onLane(lanes, begun, (lane) => readOn(lane, ({ queries }) => work(queries))),
      ),
  )
  return {
    shared: true,
    single: onlyReading(
      toQueries(
        sharingStatements((sql, values) =>
          retrying((begun) => onSharedLane(begun, (lane) => lane.send(sql, values))),
        ),
      ),
    ),
    transaction: (work, options = {}) =>
      options.isShort && options.owner !== undefined
        ? commitTogether(work, options.owner, options.isSingle)
        : transact(({ queries }) => work(queries), options),
    read: (work, { isSingle = false } = {}) =>
      isSingle
        ? retrying((begun) => onSharedLane(begun, ({ send }) => work(toQueries(send))))
        : readTogether(work),
    exclusive: (work) =>
      retrying(() => runExclusive(openPatient, (queries) => work(forDefinitions(queries)))),
    async takeStock() {
      const lane = await openPatient()
      await takeStock(lane).finally(() => lane.end())
    },
    close: () => lanes.close(),
  }
}

/**
 * Runs each transaction on a connection of its own, and those of one owner one after the other: each
 * holds the owner's lock, and each of its statements sees what was committed before it. So it is as
 * if they ran alone, and none has to be repeated because of another one, its owner's or not. The
 * server's own `serializable` would end transactions of different owners whose rows are neighbors in
 * an index.
 */
function createTransact(lanes: Lanes) {
  const mutex = createTurns()
  return <Result>(
    work: (session: Session) => Promise<Result>,
    options: TransactionOptions<Result>,
  ): Promise<Result> => {
    const { isolation = 'serializable', owner = '', isShort = false, ifBusy } = options
    const run = (since: number, begin: string, its = work) =>
      onLane(lanes, since, (lane) => runOn(lane, begin, its))
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
      // What takes long waits here, so that it does not occupy connections while it waits.
      (since) =>
        owner === '' || isShort
          ? run(since, begin)
          : mutex.take(owner, since, () => run(since, begin)),
      { chosenKeys: true },
    )
  }
}

/** Takes the owner's lock where it is free, and does nothing where it is not. */
const unlessBusy =
  <Result>(work: (session: Session) => Promise<Result>, owner: string, ifBusy: Result) =>
  async (session: Session): Promise<Result> => {
    const locked = await session.queries.first<{ free: number }>(tryLock(owner))
    return locked?.free ? work(session) : ifBusy
  }

/** Opens connections to the server of an address that writes. */
function openingOf(url: string, limits: TimeLimits): () => Promise<Lane> {
  const servers = serversOf(url)
  const options = { connectMs: connectMs / servers.length, settings: settingsOf(url) }
  return createOpening(servers, (server) => openLane(server, limits, options))
}

/** `?max=` of the address says how many connections a process may have. */
function sizeOf(url: string): number {
  const asked = Number(/[?&]max=(\d+)/.exec(url)?.[1])
  return asked > 0 ? asked : usualSize
}

/** So that the first minute is as fast as those after the server itself has looked. */
async function takeStock({ send }: Lane): Promise<void> {
  const [row] = await send(
    `select string_agg(quote_ident(tablename), ', ') as tables from pg_tables
      where schemaname = current_schema() and tableowner = current_user`,
  )
  const tables = row?.['tables']
  if (tables) await send(`vacuum (analyze, skip_locked) ${tables}`)
}

async function onLane<Result>(
  lanes: Lanes,
  since: number,
  work: (lane: Lane) => Promise<Result>,
): Promise<Result> {
  const lane = await lanes.take(since)
  try {
    return await work(lane)
  } finally {
    lanes.give(lane)
  }
}

/** Runs `work` and commits what it wrote, if all of its statements succeeded. */
async function runOn<Result>(
  lane: Lane,
  begin: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = beginSession(lane, begin)
  try {
    const result = await work(session)
    await session.commit()
    return result
  } catch (error) {
    await session.rollback()
    const failure = session.failure() ?? error
    if (failure === session.notBegun()) throw toBusy(failure)
    throw leavingStandby(lane, failure)
  }
}

/** To begin takes time only where a lock has to be waited for. */
function toBusy(error: unknown): unknown {
  if (!isOverTime(error)) return error
  return new NoLane('the writes of one client wait for each other', { isBusy: true })
}

/** A server that has begun to refuse writes has become a standby: another one is to be found. */
function leavingStandby(lane: Lane, error: unknown): unknown {
  if (!(error instanceof StatementError) || error.code !== onlyReads) return error
  lane.drop()
  return new LostConnection(error.message)
}

/** Runs `work` on a connection of its own, which may take as long as it takes. */
async function runExclusive<Result>(
  open: () => Promise<Lane>,
  work: Work<Result>,
): Promise<Result> {
  const lane = await open()
  try {
    const begin = `${begins.row}; select pg_advisory_xact_lock(${exclusiveLock})`
    return await runOn(lane, begin, ({ queries }) => work(queries))
  } finally {
    await lane.end()
  }
}

/** The number of an owner's lock in all processes. */
const keyOf = (owner: string): bigint =>
  createHash('sha256').update(owner).digest().readBigInt64BE()

/** Waits until no other transaction of an owner is under way, and keeps them away until the end. */
const lock = (owner: string): string => `select pg_advisory_xact_lock(${keyOf(owner)})`

/** The same where that needs no waiting; whether it is so. */
const tryLock = (owner: string): string =>
  `select pg_try_advisory_xact_lock(${keyOf(owner)}) as free`

/** The same beside others that only lock rows, whose locks could else end in a deadlock. */
const lockShared = (owner: string): string => `select pg_advisory_xact_lock_shared(${keyOf(owner)})`

/** Runs `work` on one snapshot. */
async function readOn<Result>(
  lane: Lane,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = beginSession(lane, begins.snapshot)
  try {
    const result = await work(session)
    await session.leave()
    return result
  } catch (error) {
    await session.rollback()
    throw session.failure() ?? error
  }
}

/** Text is ordered and compared by its bytes, whatever the database does by default. */
const forDefinitions = (queries: Queries): Queries => ({
  ...queries,
  run: (sql, values) =>
    queries.run(
      /^\s*create table/.test(sql) ? sql.replaceAll(/(?<=\w )text\b/g, 'text collate "C"') : sql,
      values,
    ),
})
