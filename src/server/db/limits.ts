/** How long one statement may take on a connection, in ms; 0 is for ever. */
export interface TimeLimits {
  /** After which the server ends a statement. */
  statementMs: number
  /** After which a connection is given up on which nothing at all is answered. */
  silenceMs: number
}

/** How long a server may take to let us in. */
export const connectMs = 5000

/** A server that restarts, or hands over to another, is mostly back by then. */
export const outageMs = 5000

/** After so long without a word an idle connection is asked whether it is still there. */
export const keepAliveSeconds = 10

const longestIdleMs = 60_000

/**
 * How long the server lets a transaction wait for its next statement. Its client's other writes wait
 * for it, in all processes: one that hangs or has lost its network is given up by the server as
 * soon as it would itself give up the server.
 */
export const idleTransactionMs = ({ silenceMs }: TimeLimits): number =>
  silenceMs > 0 ? silenceMs : longestIdleMs

const statementMs = 10_000
// So that the server comes first, and a line is given up only if it is dead.
const graceMs = 3000

const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

/** What operations ask for takes milliseconds; `?statement_timeout=` of the address says otherwise. */
export function limitsOf(url: string): TimeLimits {
  const [, asked, unit = 'ms'] = /[?&]statement_timeout=(\d+)(ms|s|min|h)?(?:&|$)/.exec(url) ?? []
  const ms = asked === undefined ? statementMs : Number(asked) * units[unit as keyof typeof units]
  return { statementMs: ms, silenceMs: ms > 0 ? ms + graceMs : 0 }
}

/** For migrations and the first world, which take as long as they take. */
export const noLimits: TimeLimits = { statementMs: 0, silenceMs: 0 }
