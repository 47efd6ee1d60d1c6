import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, UnknownOutcome } from '../../kernel/database.ts'

/** How long a note of an answer is tried again: without one the webhook would be sent once more. */
const notingMs = 60_000
const notingPauseMs = 500

/**
 * Tries again what a database cannot do now, for a while or until all ends. `isInDoubt`: an earlier
 * try may have been kept.
 */
export async function persist<Result>(
  signal: AbortSignal,
  work: (isInDoubt: boolean) => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + notingMs
  for (let isInDoubt = false; ; ) {
    try {
      return await work(isInDoubt)
    } catch (error) {
      isInDoubt ||= error instanceof UnknownOutcome
      const isPassing = isInDoubt || error instanceof DatabaseUnavailable
      if (!isPassing || signal.aborted || performance.now() > until) throw error
      await sleep(notingPauseMs)
    }
  }
}
