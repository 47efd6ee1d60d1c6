import { createHash } from 'node:crypto'
import {
  type Database,
  DatabaseError,
  onlyReading,
  type Queries,
  type Value,
  type Work,
} from './database.ts'
import { type Lane, LostConnection, StatementError } from './lane.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { retrying } from './retry.ts'
import { beginSession, toQueries } from './session.ts'
import { createTurns } from './turns.ts'

const usualSize = 10
const oldestServer = 15
/** Names the lock of what is done by one process at a time. */
const exclusiveLock = 7_240_115_831

const begins = {
  serializable: 'begin isolation level serializable',
  row: 'begin isolation level read committed',
  snapshot: 'begin isolation level repeatable read, read only',
}

/** Opens a server's database, which any number of processes may share. */
export async function openPostgres(url: string): Promise<Database> {
  const lanes = createLanes(url, sizeOf(url))
  const turns = createTurns()
  await checkServer(lanes)
  return {
    shared: true,
    single: onlyReading(toQueries((sql, values) => retrying(() => sendAlone(lanes, sql, values)))),
    transaction(work, { isolation = 'serializable', owner = '' } = {}) {
      if (isolation === 'row') return retrying(() => runWork(lanes, begins.row, work))
      const inTurn = () => runWork(lanes, begins.serializable, work, lockOf(owner))
      return retrying(
        // As long as some of an owner's had to give way, all of them take turns.
        (tries) =>
          tries > 1 || turns.areTaken(owner)
            ? turns.take(owner, inTurn)
            : runWork(lanes, begins.serializable, work),
        { chosenKeys: true },
      )
    },
    read: (work) => retrying(() => runRead(lanes, work)),
    exclusive: (work) =>
      retrying(() =>
        runWork(lanes, `${begins.row}; select pg_advisory_xact_lock(${exclusiveLock})`, (queries) =>
          work(forDefinitions(queries)),
        ),
      ),
    close: () => lanes.close(),
  }
}

/** `?max=` of the address says how many connections a process may have. */
function sizeOf(url: string): number {
  const asked = Number(/[?&]max=(\d+)/.exec(url)?.[1])
  return asked > 0 ? asked : usualSize
}

async function checkServer(lanes: Lanes): Promise<void> {
  try {
    const [row] = await sendAlone(
      lanes,
      "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
    )
    const version = Math.floor(Number(row?.['version']) / 10_000)
    if (version < oldestServer) {
      throw new DatabaseError(
        `PostgreSQL ${oldestServer} or newer is needed, and this is ${version}`,
      )
    }
    if (row?.['encoding'] !== 'UTF8') throw new DatabaseError('the database must be one in UTF-8')
  } catch (error) {
    await lanes.close()
    if (error instanceof LostConnection || error instanceof StatementError) {
      throw new DatabaseError(`the database cannot be used: ${error.message}`, { cause: error })
    }
    throw error
  }
}

async function onLane<Result>(
  lanes: Lanes,
  work: (lane: Lane) => Promise<Result>,
): Promise<Result> {
  const lane = await lanes.take()
  try {
    return await work(lane)
  } finally {
    lanes.give(lane)
  }
}

const sendAlone = (lanes: Lanes, sql: string, values?: readonly Value[]) =>
  onLane(lanes, (lane) => lane.send(sql, values))

/** Runs `work` and commits what it wrote, if all of its statements succeeded. */
const runWork = <Result>(
  lanes: Lanes,
  begin: string,
  work: Work<Result>,
  lock?: bigint,
): Promise<Result> =>
  onLane(lanes, async (lane) => {
    const session = beginSession(lane, begin, lock)
    try {
      const result = await work(session.queries)
      await session.commit()
      return result
    } catch (error) {
      await session.rollback()
      throw session.failure() ?? error
    } finally {
      session.unlock()
    }
  })

/** The number that the turns of an owner have in all processes. */
const lockOf = (owner: string): bigint =>
  createHash('sha256').update(owner).digest().readBigInt64BE()

/** Runs `work` on one snapshot. */
const runRead = <Result>(lanes: Lanes, work: Work<Result>): Promise<Result> =>
  onLane(lanes, async (lane) => {
    const session = beginSession(lane, begins.snapshot)
    try {
      const result = await work(session.queries)
      await session.leave()
      return result
    } catch (error) {
      await session.rollback()
      throw session.failure() ?? error
    }
  })

/** Text is ordered and compared by its bytes, whatever the database does by default. */
const forDefinitions = (queries: Queries): Queries => ({
  ...queries,
  run: (sql, values) =>
    queries.run(
      /^\s*create table/.test(sql) ? sql.replaceAll(/(?<=\w )text\b/g, 'text collate "C"') : sql,
      values,
    ),
})
