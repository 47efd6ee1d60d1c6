import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '../kernel/database.ts'
import type { Connection } from './connection.ts'
import { LostConnection } from './statement-error.ts'

/** How long the start waits for a server that is unavailable. */
export interface Patience {
  waitMs: number
  /** Called with a log line when the wait begins, and from time to time after that. */
  onWait(message: string): void
}

/** For callers that need the result without a wait. */
export const none: Patience = { waitMs: 0, onWait: () => {} }

const oldestServer = 15
const pauseMs = 500
const progressMs = 10_000
const probes = 10

/**
 * Opens the first connection. Waits for a server that is unavailable, for example one that starts
 * at the same time. An error that waiting cannot resolve, such as a wrong password, fails
 * immediately with one line.
 */
export async function openFirst(
  open: () => Promise<Connection>,
  patience: Patience,
): Promise<Connection> {
  const begun = performance.now()
  let told = -Infinity
  for (;;) {
    try {
      return await openChecked(open)
    } catch (error) {
      const now = performance.now()
      const isOver = now - begun + pauseMs > patience.waitMs
      if (!(error instanceof LostConnection) || isOver) throw toDatabaseError(error)
      if (now - told >= progressMs) {
        told = now
        patience.onWait(waiting(error, now - begun, patience))
      }
      await sleep(pauseMs)
    }
  }
}

function waiting(error: Error, waitedMs: number, { waitMs }: Patience): string {
  const { message } = error
  const [waited, most] = [waitedMs, waitMs].map((ms) => Math.round(ms / 1000))
  const what = error instanceof FullPool ? 'the database has no room' : 'the database is away'
  return `${what}, and waited for (${waited} of at most ${most} s): ${message}`
}

function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error
  return new DatabaseError(`the database cannot be used: ${error.message}`, { cause: error })
}

async function openChecked(open: () => Promise<Connection>): Promise<Connection> {
  const connection = await open()
  try {
    if (await isPooled(connection)) await rejectPooledTransactions(connection, open)
    return connection
  } catch (error) {
    await connection.end()
    throw error
  }
}

/**
 * Fails for a server that cannot be used. Returns whether a pooler is between the service and the
 * server.
 */
async function isPooled({ send }: Connection): Promise<boolean> {
  const answer = await send(
    `select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, pg_backend_pid() as pid`,
  )
  const [row] = answer
  const version = Math.floor(Number(row?.['version']) / 10_000)
  if (version < oldestServer) {
    throw new DatabaseError(`PostgreSQL ${oldestServer} or newer is needed, and this is ${version}`)
  }
  if (row?.['encoding'] !== 'UTF8') throw new DatabaseError('the database must be one in UTF-8')
  // A pooler invents the process id that it sends when the connection opens.
  return row['pid'] !== answer.state?.pid
}

/**
 * Fails in transaction pooling mode: prepared statements and settings are lost when each
 * transaction may use another connection.
 */
async function rejectPooledTransactions(
  connection: Connection,
  open: () => Promise<Connection>,
): Promise<void> {
  const other = await openSecond(connection, open)
  try {
    if (await shareOften(connection, other)) {
      throw new DatabaseError(
        'the pooler in front of the database pools transactions: let it pool sessions (pool_mode = session in PgBouncer)',
      )
    }
  } finally {
    await other.end()
  }
}

/** A pooler that has no free connections. */
class FullPool extends LostConnection {}

/** Distinguishes a full pooler, which is worth a wait, from a database that is unavailable. */
async function openSecond(
  connection: Connection,
  open: () => Promise<Connection>,
): Promise<Connection> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error
    await connection.send('select 1')
    throw new FullPool(
      `the pooler in front of the database gives no second connection: let it have as many for the service as that opens (default_pool_size in PgBouncer): ${error.message}`,
    )
  }
}

/** Other clients of the pooler can hide the symptom in one probe, but hardly in all of them. */
async function shareOften(connection: Connection, other: Connection): Promise<boolean> {
  for (let probe = 0; probe < probes; probe += 1) {
    if (await areShared(connection, other)) return true
  }
  return false
}

/** Whether the same server connection, or a new one, serves one of the two. */
async function areShared(connection: Connection, other: Connection): Promise<boolean> {
  const first = await processOf(connection)
  try {
    await other.send('begin')
  } catch (error) {
    // This happens if the pooler changes connections even within a transaction.
    if (error instanceof LostConnection) return true
    throw error
  }
  // If there is only one connection, a query on the first would wait for the end of this
  // transaction.
  const isShared = (await processOf(other)) === first || (await processOf(connection)) !== first
  await other.send('rollback')
  return isShared
}

async function processOf({ send }: Connection): Promise<unknown> {
  const [row] = await send('select pg_backend_pid() as pid')
  return row?.['pid']
}
