import postgres from 'postgres'

/** The error of a statement, without its detail, which contains values. */
export class StatementError extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The error of a statement on a lost connection. */
export class LostConnection extends Error {}

/** The codes with which the server closes or rejects connections. */
const endings = new Set(['57P01', '57P02', '57P03', '57P04', '25P03', '53300'])

/** The driver's error without statement and values, which must not be logged. */
export function toStatementError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof LostConnection) return new LostConnection(error.message)
  const { code = '' } = error as { code?: string }
  const isServers = error instanceof postgres.PostgresError
  if (isServers && !endings.has(code) && !code.startsWith('08')) {
    return new StatementError(error.message, code)
  }
  const isConnection =
    isServers || /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ENOENT)/.test(code)
  return isConnection ? new LostConnection(error.message || code) : error
}

// Serialization failure and deadlock: the server aborts one of two transactions.
const gaveWay = ['40001', '40P01']
// Unique violation: two transactions have chosen the same key, each from the rows that it had read.
const sameKey = '23505'

/** Whether the server aborted this transaction because of a conflict with another. */
export const hasGivenWay = (error: unknown): boolean =>
  error instanceof StatementError && gaveWay.includes(error.code)

/** Whether an immediate retry may succeed. */
export function isWorthRetrying(error: unknown, chosenKeys: boolean): boolean {
  if (error instanceof LostConnection) return true
  if (!(error instanceof StatementError)) return false
  return hasGivenWay(error) || (chosenKeys && error.code === sameKey)
}

/** Whether a statement has reached its time limit. */
export const isOverTime = (error: unknown): boolean =>
  error instanceof StatementError && error.code === '57014'

// Temporary errors besides conflicts: disk or memory is full, a time limit, a lock timeout, or an
// error of the server's operating system.
const passing = /^(53|58)|^(57014|55P03)$/

/** Whether the error is temporary: the work itself is valid. */
export const isPassing = (error: unknown): boolean =>
  error instanceof LostConnection ||
  (error instanceof StatementError && (hasGivenWay(error) || passing.test(error.code)))

/** Why the server rejects writes, if a statement failed for that reason. */
export const reasonAgainstWrites = (error: unknown): string | undefined =>
  error instanceof StatementError && error.code === diskFull ? 'its disk is full' : undefined

const diskFull = '53100'
