import { DatabaseUnavailable, type Queries } from '../kernel/database.ts'
import { createKinds, SecondStatement, watchStatements } from './run-together.ts'
import { resultCode } from './sqlite-error.ts'

/** What somebody waits for. */
export interface Task {
  writes: boolean
  /** What it does; '' where nobody has said so. */
  kind: string
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

/** Where tasks are run, and what is known of their kinds. */
interface Place {
  transactions: Transactions
  queries: Queries
  kinds: ReturnType<typeof createKinds>
}

/**
 * Runs tasks in one transaction, each behind a savepoint, and answers them after the commit. What is
 * known to be a single statement needs none: where it is more, or has to be undone, all of them are
 * run again with theirs. Where the transaction fails, those that write are refused; those that read
 * had seen what is undone, and read again.
 */
export function createBatches(transactions: Transactions, queries: Queries) {
  const place = { transactions, queries, kinds: createKinds() }
  const inTransaction = (batch: readonly Task[]): Promise<Answer[]> =>
    runAll(place, batch, writeFreely).catch((error) => {
      if (!(error instanceof SecondStatement)) throw error
      return runAll(place, batch, write)
    })

  return async (batch: readonly Task[]): Promise<void> => {
    const writers = batch.filter((task) => task.writes)
    if (writers.length > 0) {
      try {
        const answers = await inTransaction(batch)
        for (const answer of answers) answer()
        return
      } catch (error) {
        for (const { reject } of writers) reject(error)
      }
    }
    for (const task of batch) if (!task.writes) (await settle(task, queries))()
  }
}

async function runAll(
  place: Place,
  batch: readonly Task[],
  writeOne: typeof write,
): Promise<Answer[]> {
  const { transactions, queries } = place
  const answers: Answer[] = []
  try {
    transactions.exec('begin immediate')
    for (const task of batch) {
      answers.push(task.writes ? await writeOne(place, task) : await settle(task, queries))
    }
    transactions.exec('commit')
    return answers
  } catch (error) {
    if (transactions.isOpen()) transactions.exec('rollback')
    throw error
  }
}

/** Does without a savepoint where most likely none is needed; throws where one would have been. */
async function writeFreely(place: Place, task: Task): Promise<Answer> {
  const { transactions, queries, kinds } = place
  if (!kinds.isSingle(task.kind)) return write(place, task)
  const watched = watchStatements(queries, 1)
  try {
    const result = await task.work(watched.queries)
    // Also where the work has gone on without its second one.
    if (watched.count() > 1) throw new SecondStatement()
    refuseAlone(transactions)
    return () => task.resolve(result)
  } catch (error) {
    refuseAlone(transactions, error)
    if (!watched.hasTouched()) return () => task.reject(error)
    kinds.noteSeveral(task.kind)
    throw new SecondStatement()
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
async function write(place: Place, task: Task): Promise<Answer> {
  const { transactions, queries, kinds } = place
  const watched = watchStatements(queries)
  transactions.exec('savepoint task')
  const keep = (answer: Answer): Answer => {
    transactions.exec('release task')
    return answer
  }
  try {
    const result = await task.work(watched.queries)
    refuseAlone(transactions)
    if (task.kind !== '') kinds.note(task.kind, watched.count())
    return keep(() => task.resolve(result))
  } catch (error) {
    refuseAlone(transactions, error)
    if (watched.hasTouched()) kinds.noteSeveral(task.kind)
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
