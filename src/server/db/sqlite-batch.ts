import { DatabaseUnavailable, type Queries } from './database.ts'
import { resultCode } from './sqlite-error.ts'

/** What somebody waits for. */
export interface Task {
  writes: boolean
  work(queries: Queries): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** What begins and ends transactions. */
export interface Transactions {
  exec(sql: string): void
  isOpen(): boolean
}

type Answer = () => void

/**
 * Runs tasks in one transaction, each behind a savepoint, and answers them after the commit. Where
 * that fails, those that write are refused; those that read had seen what is undone, and read again.
 */
export async function runBatch(
  transactions: Transactions,
  queries: Queries,
  batch: readonly Task[],
): Promise<void> {
  const writers = batch.filter((task) => task.writes)
  if (writers.length > 0) {
    try {
      const answers = await inTransaction(transactions, queries, batch)
      for (const answer of answers) answer()
      return
    } catch (error) {
      for (const { reject } of writers) reject(error)
    }
  }
  for (const task of batch) if (!task.writes) (await settle(task, queries))()
}

async function inTransaction(
  transactions: Transactions,
  queries: Queries,
  batch: readonly Task[],
): Promise<Answer[]> {
  const answers: Answer[] = []
  try {
    transactions.exec('begin immediate')
    for (const task of batch) {
      answers.push(
        task.writes ? await write(transactions, queries, task) : await settle(task, queries),
      )
    }
    transactions.exec('commit')
    return answers
  } catch (error) {
    if (transactions.isOpen()) transactions.exec('rollback')
    throw error
  }
}

async function settle(task: Task, queries: Queries): Promise<Answer> {
  try {
    const result = await task.work(queries)
    return () => task.resolve(result)
  } catch (error) {
    return () => task.reject(error)
  }
}

/** Undoes what one task has written when it fails; throws when all of them are undone. */
async function write(transactions: Transactions, queries: Queries, task: Task): Promise<Answer> {
  transactions.exec('savepoint task')
  const keep = (answer: Answer): Answer => {
    transactions.exec('release task')
    return answer
  }
  try {
    const result = await task.work(queries)
    refuseAlone(transactions)
    return keep(() => task.resolve(result))
  } catch (error) {
    refuseAlone(transactions, error)
    transactions.exec('rollback to task')
    return keep(() => task.reject(error))
  }
}

/**
 * Where the disk is full or fails, the engine itself may have undone the whole transaction: what
 * follows would then stand alone.
 */
function refuseAlone(transactions: Transactions, cause?: unknown): void {
  if (transactions.isOpen()) return
  if (resultCode(cause) !== undefined) throw cause
  throw new DatabaseUnavailable('the database has undone a transaction', { cause })
}
