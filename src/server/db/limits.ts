/** Time limits for a statement on a connection, in ms. 0 means no limit. */
export interface TimeLimits {
  /** The server cancels a statement after this time. */
  statementMs: number
  /** The connection is closed after this time without any response. */
  silenceMs: number
}

/** The time limit for opening a connection. */
export const connectMs = 5000

/** A server that restarts or fails over is usually available again within this time. */
export const outageMs = 5000

/** An idle connection is checked after this time without a response. */
export const keepAliveSeconds = 10

const longestIdleMs = 60_000

/**
 * How long the server lets a transaction wait for its next statement. Other writes of the same
 * client wait meanwhile, in all processes. If the process hangs or loses its network, the server
 * ends the transaction. The limit is as long as the service itself waits for a silent server.
 */
export const idleTransactionMs = ({ silenceMs }: TimeLimits): number =>
  silenceMs > 0 ? silenceMs : longestIdleMs

const statementMs = 10_000
// The server's limit ends first, so a connection is closed only if it is dead.
const graceMs = 3000

const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

/**
 * Statements of operations take milliseconds. `?statement_timeout=` in the address overrides this
 * limit.
 */
export function limitsOf(url: string): TimeLimits {
  const [, asked, unit = 'ms'] = /[?&]statement_timeout=(\d+)(ms|s|min|h)?(?:&|$)/.exec(url) ?? []
  const ms = asked === undefined ? statementMs : Number(asked) * units[unit as keyof typeof units]
  return { statementMs: ms, silenceMs: ms > 0 ? ms + graceMs : 0 }
}

/** For migrations and the first load of seed data, whose duration depends on the amount of data. */
export const noLimits: TimeLimits = { statementMs: 0, silenceMs: 0 }
