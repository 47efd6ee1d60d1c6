import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '../kernel/database.ts'
import type { Connection } from './connection.ts'
import { LostConnection } from './statement-error.ts'

/** How long a server is waited for at a start. */
export interface Patience {
  waitMs: number
  /** Is told in a line that it is waited for: at once, and then now and again. */
  onWait(message: string): void
}

/** For those who want to know at once. */
export const none: Patience = { waitMs: 0, onWait: () => {} }

const oldestServer = 15
const pauseMs = 500
const progressMs = 10_000
const looks = 10

/**
 * The first connection. Waits for a server that is away, such as one that starts along with us; what
 * waiting does not mend, such as a wrong password, fails at once and in one line.
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

/** Refuses a server that cannot be used; whether there is a pooler in front of it. */
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
  // A pooler makes up the number that it tells at the beginning.
  return row['pid'] !== answer.state?.pid
}

/** Prepared statements and settings are lost where a transaction may be on any connection. */
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

/** A pooler that gives out no more connections. */
class FullPool extends LostConnection {}

/** Tells a pooler without room, which is to be waited for, from a database that is away. */
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

/** Others of the pooler's clients may come between, and hide it; hardly each time. */
async function shareOften(connection: Connection, other: Connection): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    if (await areShared(connection, other)) return true
  }
  return false
}

/** Whether the same connection of the server, or another than before, serves one of the two. */
async function areShared(connection: Connection, other: Connection): Promise<boolean> {
  const first = await processOf(connection)
  try {
    await other.send('begin')
  } catch (error) {
    // So it is where not even transactions keep their connection.
    if (error instanceof LostConnection) return true
    throw error
  }
  // Where there is just one, to ask the first would wait for the end of this transaction.
  const isShared = (await processOf(other)) === first || (await processOf(connection)) !== first
  await other.send('rollback')
  return isShared
}

async function processOf({ send }: Connection): Promise<unknown> {
  const [row] = await send('select pg_backend_pid() as pid')
  return row?.['pid']
}
