import { DatabaseUnavailable, type Queries } from '../kernel/database.ts'
import { type Answer, runOne, type Waiting } from './shared-work.ts'
import { resultCode } from './sqlite-error.ts'

/** Work, and the caller that waits for it. */
export interface Task extends Waiting {
  writes: boolean
  mayBeLost: boolean
}

/** The functions that begin and end transactions. */
export interface Transactions {
  exec(sql: string): void
  isOpen(): boolean
  /** Whether later commits wait for the disk. */
  setDurable(isDurable: boolean): void
}

/** Thrown if the writes of a task must be rolled back, together with those of the other tasks. */
class UndoNeeded extends Error {}

/**
 * Runs tasks in one transaction, and returns their results after the commit. A savepoint makes the
 * engine copy each page that is written, and few tasks fail after a write. So all run without
 * savepoints first. If one must be rolled back, all run again with savepoints; a task that writes
 * alone is rejected at once. If the transaction itself fails, tasks that write are rejected and
 * tasks that read run again.
 */
export function createBatches(transactions: Transactions, queries: Queries) {
  async function runAll(batch: readonly Task[], hasSavepoints: boolean): Promise<Answer[]> {
    const answers: Answer[] = []
    try {
      transactions.setDurable(batch.some(({ writes, mayBeLost }) => writes && !mayBeLost))
      transactions.exec('begin immediate')
      for (const task of batch) {
        answers.push(task.writes ? await write(task, hasSavepoints) : await settle(task))
      }
      transactions.exec('commit')
      return answers
    } catch (error) {
      if (transactions.isOpen()) transactions.exec('rollback')
      throw error
    }
  }

  async function write(task: Task, hasSavepoint: boolean): Promise<Answer> {
    if (hasSavepoint) transactions.exec('savepoint task')
    const answer = await runOne(task, queries).catch((error) => {
      rejectUndone(transactions, error)
      if (!hasSavepoint) throw new UndoNeeded('a task failed', { cause: error })
      transactions.exec('rollback to task')
      return () => task.reject(error)
    })
    rejectUndone(transactions)
    if (hasSavepoint) transactions.exec('release task')
    return answer
  }

  const settle = ({ work, resolve, reject }: Task): Promise<Answer> =>
    work(queries).then(
      (result) => () => resolve(result),
      (error) => () => reject(error),
    )

  return async (batch: readonly Task[]): Promise<void> => {
    const writers = batch.filter((task) => task.writes)
    if (writers.length > 0) {
      try {
        const answers = await runAll(batch, false).catch((error) => {
          if (!(error instanceof UndoNeeded)) throw error
          if (writers.length === 1) throw error.cause
          return runAll(batch, true)
        })
        for (const answer of answers) answer()
        return
      } catch (error) {
        for (const { reject } of writers) reject(error)
      }
    }
    for (const task of batch) if (!task.writes) (await settle(task))()
  }
}

/**
 * If the disk is full or fails, the engine may have rolled back the whole transaction. Each later
 * statement would then be its own transaction.
 */
function rejectUndone(transactions: Transactions, cause?: unknown): void {
  if (transactions.isOpen()) return
  if (resultCode(cause) !== undefined) throw cause
  throw new DatabaseUnavailable('the database has undone a transaction', { cause })
}
