import { backup, type DatabaseSync } from 'node:sqlite'

/** A copy in progress. */
export interface Copy {
  /** Settles when the copy is complete or has failed. */
  end: Promise<unknown>
  /** Resolves once the remaining amount is smaller than at the previous call. */
  comeNearer(): Promise<void>
}

// Other statements wait during a step: a megabyte takes about 1 ms.
const pagesAtOnce = 256

/**
 * Starts a copy into a new file, and resolves after its first step. The first step would end an
 * open transaction. Later steps wait until no transaction is open.
 */
export async function beginCopy(connection: DatabaseSync, target: string): Promise<Copy> {
  let left = Number.POSITIVE_INFINITY
  let mark = Number.POSITIVE_INFINITY
  let isOver = false
  let step = Promise.withResolvers<void>()
  const stepDone = () => {
    step.resolve()
    step = Promise.withResolvers<void>()
  }
  const end = backup(connection, target, {
    rate: pagesAtOnce,
    progress: ({ remainingPages }) => {
      left = remainingPages
      stepDone()
    },
  }).finally(() => {
    isOver = true
    stepDone()
  })
  await Promise.race([step.promise, end])
  return {
    end,
    async comeNearer() {
      // What was written meanwhile is counted by the next step.
      let isCounted = false
      while (!isOver && (!isCounted || left > mark - pagesAtOnce)) {
        await step.promise
        isCounted = true
      }
      mark = left
    },
  }
}
