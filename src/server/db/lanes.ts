import postgres, { type Sql } from 'postgres'
import type { Value } from './database.ts'

/** One connection, which one piece of work has at a time. */
export interface Lane {
  /** Sends a statement; those of one lane are run in their order. */
  send(sql: string, values?: readonly Value[]): Promise<Answer>
  /** Whether the connection is gone, and with it the transaction that was begun. */
  readonly lost: boolean
}

/** The rows of a statement. */
export type Answer = Record<string, unknown>[] & { count: number; command: string }

/** Hands lanes out, first come first served. */
export interface Lanes {
  take(): Promise<Lane>
  give(lane: Lane): void
  close(): Promise<void>
}

/** bigint, numeric (a sum of them) and boolean as the numbers that the other engine has. */
const types = {
  number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
  truth: { to: 16, from: [16], serialize: String, parse: (text: string) => (text === 't' ? 1 : 0) },
}

const connectSeconds = 5
// A process that hangs within a transaction must not keep its rows from the others for ever.
const idleTransactionMs = 60_000

type Connection = Lane & { sql: Sql; end(): Promise<void> }

function connect(url: string): Connection {
  const state = { lost: false }
  const sql = postgres(url, {
    max: 1,
    types,
    fetch_types: false,
    connect_timeout: connectSeconds,
    // Else it would end between two statements of one transaction.
    max_lifetime: null,
    idle_timeout: 0,
    connection: {
      application_name: 'financial-data-service',
      idle_in_transaction_session_timeout: idleTransactionMs,
    },
    onnotice: () => {},
    onclose: () => {
      state.lost = true
    },
  })
  return {
    sql,
    send: (text, values = []) =>
      sql.unsafe(text, values as never[], { prepare: true }) as unknown as Promise<Answer>,
    get lost() {
      return state.lost
    },
    end: () => sql.end({ timeout: 5 }),
  }
}

export function createLanes(url: string, size: number): Lanes {
  const all = new Set<Connection>()
  const free: Connection[] = []
  const waiting: ((lane: Lane) => void)[] = []
  let closing: (() => void) | undefined

  const open = (): Connection => {
    const lane = connect(url)
    all.add(lane)
    return lane
  }

  return {
    async take() {
      const lane = free.pop()
      if (lane?.lost) return replace(lane)
      if (lane) return lane
      if (all.size < size) return open()
      return new Promise((resolve) => waiting.push(resolve))
    },
    give(given) {
    },
    async close() {},
  }
}
