import postgres from 'postgres'
import type { Value } from './database.ts'

/** One connection, which one piece of work has at a time. */
export interface Lane {
  /**
   * Sends a statement. The answer to the one before must be there, that to `begin` or `commit`
   * excepted: what waits within the driver would go on after a loss, on another connection and so
   * in no transaction.
   */
  send(sql: string, values?: readonly Value[]): Promise<Answer>
  /** Whether the connection is gone, and with it the transaction that was begun. */
  isLost(): boolean
  /** Whether it has lived long enough; a new one has forgotten all its prepared statements. */
  isOld(): boolean
  end(): Promise<void>
}

/** The rows of a statement. */
export type Answer = Record<string, unknown>[] & { count: number | null; command: string }

/** A statement that failed, without the values that its detail would tell. */
export class StatementError extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** What a statement on a lost connection fails with. */
export class LostConnection extends Error {}

/** bigint, numeric (a sum of them) and boolean as the numbers that the other engine has. */
const types = {
  number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
  truth: { to: 16, from: [16], serialize: String, parse: (text: string) => Number(text === 't') },
}

const connectSeconds = 5
const lifetimeMs = 3_600_000
// A process that hangs within a transaction must not keep its rows from the others for ever.
const idleTransactionMs = 60_000

/** Opens a connection. */
export async function openLane(url: string): Promise<Lane> {
  let lost = false
  const born = Date.now()
  const sql = postgres(url, {
    max: 1,
    types,
    fetch_types: false,
    connect_timeout: connectSeconds,
    // Else it could end between two statements of one transaction.
    max_lifetime: null,
    idle_timeout: 0,
    connection: {
      application_name: 'financial-data-service',
      idle_in_transaction_session_timeout: idleTransactionMs,
    },
    onnotice: () => {},
    onclose: () => {
      lost = true
    },
  })
  const send: Lane['send'] = async (text, values = []) => {
    if (lost) throw new LostConnection('the connection to the database was lost')
    try {
      return (await sql.unsafe(text, values as never[], { prepare: true })) as unknown as Answer
    } catch (error) {
      const told = toError(error)
      if (told instanceof LostConnection) lost = true
      throw told
    }
  }
  const lane: Lane = {
    send,
    isLost: () => lost,
    isOld: () => Date.now() - born > lifetimeMs,
    end: () => sql.end({ timeout: connectSeconds }),
  }
  try {
    await send('select 1')
  } catch (error) {
    await lane.end()
    throw error
  }
  return lane
}

/** The server ends connections with these. */
const endings = new Set(['57P01', '57P02', '57P03', '25P03', '53300'])

/** The driver's error without statement and values, which no log should have. */
function toError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { code = '' } = error as { code?: string }
  const isServers = error instanceof postgres.PostgresError
  if (isServers && !endings.has(code)) return new StatementError(error.message, code)
  const isConnection =
    isServers || /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENOENT)/.test(code)
  return isConnection ? new LostConnection(error.message || code) : error
}
