import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseBusy, DatabaseUnavailable, OverTime, WritesRejected } from '../kernel/database.ts'
import { outageMs } from './limits.ts'
import { NoConnection } from './pool.ts'
import {
  hasGivenWay,
  isOverTime,
  isPassing,
  isWorthRetrying,
  LostConnection,
  reasonAgainstWrites,
} from './statement-error.ts'

const mostTries = 10
const longestPause = 100

/** Retries work after a conflict, or after a connection loss before the commit. */
export async function retrying<Result>(
  attempt: (since: number) => Promise<Result>,
  { chosenKeys = false } = {},
): Promise<Result> {
  const begun = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(begun)
    } catch (error) {
      const isLong = performance.now() - begun > outageMs
      // Under many concurrent writes a transaction can lose ten conflicts in a row and still
      // succeed later.
      const isOver =
        error instanceof LostConnection
          ? isLong
          : tries >= mostTries && (isLong || !hasGivenWay(error))
      if (isOver || !isWorthRetrying(error, chosenKeys)) throw toUnavailable(error)
      await sleep(Math.random() * Math.min(2 ** tries, longestPause))
    }
  }
}

/** Turns a temporary error into `DatabaseUnavailable`. Returns any other error unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof NoConnection) {
    const Kind = error.isBusy ? DatabaseBusy : DatabaseUnavailable
    return new Kind(error.message, { cause: error })
  }
  if (hasGivenWay(error)) {
    const message = `work that was done at the same time kept colliding: ${(error as Error).message}`
    return new DatabaseBusy(message, { cause: error })
  }
  if (!isPassing(error)) return error
  if (isOverTime(error)) return new OverTime((error as Error).message, { cause: error })
  const reason = reasonAgainstWrites(error)
  const { message } = error as Error
  return reason === undefined
    ? new DatabaseUnavailable(message, { cause: error })
    : new WritesRejected(message, reason, { cause: error })
}
