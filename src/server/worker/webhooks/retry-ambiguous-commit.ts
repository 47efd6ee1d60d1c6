import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, UnknownOutcome } from '../../kernel/database.ts'

/** How long the outcome of an attempt is retried. Without it the webhook would be sent again. */
const retryForMs = 60_000
const pauseMs = 500

/**
 * Retries a transaction while the database is unavailable, for a limited time or until the signal.
 * `isAmbiguous` says that the outcome of an earlier commit is unknown, so its changes may be stored.
 */
export async function retryAmbiguousCommit<Result>(
  signal: AbortSignal,
  work: (isAmbiguous: boolean) => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + retryForMs
  for (let isAmbiguous = false; ; ) {
    try {
      return await work(isAmbiguous)
    } catch (error) {
      isAmbiguous ||= error instanceof UnknownOutcome
      const isTemporary = isAmbiguous || error instanceof DatabaseUnavailable
      if (!isTemporary || signal.aborted || performance.now() > until) throw error
      await sleep(pauseMs)
    }
  }
}
