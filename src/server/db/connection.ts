import type { Socket } from 'node:net'
import postgres from 'postgres'
import type { Value } from '../kernel/database.ts'
import { dial } from './connect.ts'
import { connectMs, idleTransactionMs, keepAliveSeconds, type TimeLimits } from './limits.ts'
import { LostConnection, toStatementError } from './statement-error.ts'

/** One connection to the server. A transaction has it exclusively; single statements can share it. */
export interface Connection {
  /**
   * Sends a statement without waiting for earlier results. If the connection is lost, all
   * statements without a result fail. They are never sent again on another connection.
   */
  send(sql: string, values?: readonly Value[]): Promise<Answer>
  /** Whether the connection is lost. A transaction that was open on it is lost too. */
  isLost(): boolean
  /**
   * Whether to replace it: prepared statements use memory of the server until the connection ends.
   */
  isOld(): boolean
  /** Whether the server has confirmed a commit that may be missing on a standby. */
  isUnreplicated(): boolean
  /** Closes it immediately. Statements without a result fail. */
  drop(): void
  end(): Promise<void>
}

/** The rows of a statement. */
export type Answer = Record<string, unknown>[] & {
  count: number | null
  command: string
  /** The id of the server process, which the server sends when the connection opens. */
  state?: { pid?: number }
}

/** Returns bigint, numeric (a sum of them) and boolean as numbers, as the embedded store does. */
const types = {
  number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
  truth: { to: 16, from: [16], serialize: String, parse: (text: string) => Number(text === 't') },
}

const lifetimeMs = 3_600_000
const longestCheckMs = 1000

/** Options of a connection. */
interface ConnectionOptions {
  /** The time limit for opening it. */
  connectMs?: number
  /** Settings of the server, by name. */
  settings?: Readonly<Record<string, string>>
}

/** Opens a connection to one server. The server must accept writes. */
export async function openConnection(
  url: string,
  limits: TimeLimits,
  { connectMs: longestConnectMs = connectMs, settings = {} }: ConnectionOptions = {},
): Promise<Connection> {
  let [lost, unreplicated] = [false, false]
  let socket: Socket | undefined
  /** Functions that reject the statements without a result. */
  const waiting = new Set<() => void>()
  const born = Date.now()
  const sql = postgres(url, {
    max: 1,
    types,
    fetch_types: false,
    connect_timeout: longestConnectMs / 1000,
    keep_alive: keepAliveSeconds,
    // Otherwise the connection could end between two statements of one transaction.
    max_lifetime: null,
    idle_timeout: 0,
    connection: { application_name: 'financial-data-service' },
    // NOTE: the driver knows this option, its types do not.
    ...({ socket: openSocket } as object),
    onnotice: ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unreplicated = true
    },
    onclose: lose,
  })
  const silence = watchSilence(limits.silenceMs, drop)

  async function openSocket(to: Parameters<typeof dial>[1]): Promise<Socket> {
    // The driver retries forever if the server accepts a connection and closes it immediately.
    if (socket) throw new LostConnection('the connection was closed before the server answered')
    socket = await dial(url, to, longestConnectMs)
    return socket
  }

  // The driver rejects the statements that it has sent, and keeps the others for another
  // connection.
  function lose(): void {
    lost = true
    for (const fail of waiting) fail()
  }

  function drop(): void {
    silence.stop()
    socket?.destroy()
    lose()
  }

  const ask = (text: string, values: readonly Value[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const fail = () => reject(gone())
      waiting.add(fail)
      sql
        // The driver's types know neither bigint nor null among values.
        .unsafe<Record<string, unknown>[]>(text, values as never[], { prepare: true })
        .then((rows) => resolve(rows as Answer), reject)
        .finally(() => waiting.delete(fail))
    })

  async function send(text: string, values: readonly Value[] = []): Promise<Answer> {
    if (lost) throw gone()
    // The driver cannot send such a statement, and would assign the next result to it.
    if (values.includes(undefined as never))
      throw new TypeError('a value of a statement is missing')
    silence.asked()
    try {
      return await ask(text, values)
    } catch (error) {
      const told = toStatementError(error)
      if (told instanceof LostConnection) lost = true
      throw told
    } finally {
      silence.answered()
    }
  }

  async function end(): Promise<void> {
    silence.stop()
    await sql.end({ timeout: lost ? 0 : connectMs / 1000 })
    // The socket of a dead connection would otherwise stay open for a quarter of an hour.
    socket?.destroySoon()
  }

  const connection: Connection = {
    send,
    isLost: () => lost,
    isOld: () => Date.now() - born > lifetimeMs,
    isUnreplicated: () => unreplicated,
    drop,
    end,
  }
  try {
    await Promise.all([connection.send(toSet(limits, settings)), rejectStandby(connection)])
    return connection
  } catch (error) {
    lost = true
    await end()
    throw error
  }
}

/**
 * Sent after the connection is open: poolers accept only a few settings in the startup message.
 * Values are parsed as in a startup message. `set` would take `app,public` for the name of one
 * schema.
 */
function toSet(limits: TimeLimits, settings: Readonly<Record<string, string>>): string {
  const all = {
    idle_in_transaction_session_timeout: String(idleTransactionMs(limits)),
    statement_timeout: String(limits.statementMs),
    // The limit above does not apply between the two messages that prepare a statement.
    tcp_keepalives_idle: String(keepAliveSeconds),
    tcp_keepalives_interval: '1',
    tcp_keepalives_count: '3',
    // Otherwise a role's setting could hide the warning that a commit has not reached a standby.
    client_min_messages: 'warning',
    // A prepared statement keeps the plan for a small table, a sequential scan, until the server
    // analyzes the table again. By then the table may have tens of thousands of rows. Every
    // statement has an index, so index scans are always used.
    enable_seqscan: 'off',
    // JIT compilation helps reports. For statements of a millisecond it only adds time.
    jit: 'off',
    ...settings,
  }
  const calls = Object.entries(all).map(
    ([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, false)`,
  )
  return `select ${calls.join(', ')}`
}

/** A string constant that is valid whether or not the server treats a backslash as an escape. */
const quoted = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const gone = () => new LostConnection('the connection to the database was lost')

async function rejectStandby({ send }: Connection): Promise<void> {
  const [row] = await send('show transaction_read_only')
  if (row?.['transaction_read_only'] === 'on') {
    throw new LostConnection('the server only reads, as a standby does')
  }
}

/** Calls `end` if statements wait for this long without any result. 0 means no limit. */
function watchSilence(ms: number, end: () => void) {
  let asked = 0
  let since = 0
  const check = () => {
    if (asked > 0 && performance.now() - since > ms) end()
  }
  // One timer for all: a timer for each statement takes a tenth of the time of a transaction.
  const timer = ms > 0 ? setInterval(check, Math.min(ms / 4, longestCheckMs)).unref() : undefined
  return {
    asked() {
      if (asked === 0) since = performance.now()
      asked += 1
    },
    answered() {
      asked -= 1
      since = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}
