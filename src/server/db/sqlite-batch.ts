import { DatabaseUnavailable, type Queries } from '../kernel/database.ts'
import { type Answer, runOne, type Waiting } from './shared-work.ts'
import { resultCode } from './sqlite-error.ts'

/** Work, and the caller that waits for it. */
export interface Task extends Waiting {
  writes: boolean
}

/** What begins and ends transactions. */
export interface Transactions {
  exec(sql: string): void
  isOpen(): boolean
}

/** What a task has written has to be undone, and that of the other tasks with it. */
class UndoNeeded extends Error {}

/**
 * Runs tasks in one transaction, and answers them after the commit. A savepoint for each makes the
 * engine copy each page that is written, and few tasks fail after they have written. So all run
 * without savepoints, and again with them where one has to be undone. Where the transaction itself
 * fails, those that write are rejected, and those that read are run again.
 */
export function createBatches(transactions: Transactions, queries: Queries) {
  async function runAll(batch: readonly Task[], hasSavepoints: boolean): Promise<Answer[]> {
    const answers: Answer[] = []
    try {
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
      if (!hasSavepoint) throw new UndoNeeded()
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
 * Where the disk is full or fails, the engine itself may have undone the whole transaction: each
 * statement that follows would then be a transaction of its own.
 */
function rejectUndone(transactions: Transactions, cause?: unknown): void {
  if (transactions.isOpen()) return
  if (resultCode(cause) !== undefined) throw cause
  throw new DatabaseUnavailable('the database has undone a transaction', { cause })
}
