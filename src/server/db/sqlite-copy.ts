import { backup, type DatabaseSync } from 'node:sqlite'

/** A copy that is being made. */
export interface Copy {
  /** Settles when the copy is whole, or has failed. */
  end: Promise<unknown>
  /** Resolves once less is left to be copied than when this was last asked for. */
  comeNearer(): Promise<void>
}

// A step holds up the statements that come meanwhile: a megabyte takes about 1 ms.
const pagesAtOnce = 256

/**
 * Begins a copy into a new file, and resolves after its first step: within a transaction that one
 * would end it. All later steps wait for the end of one.
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
