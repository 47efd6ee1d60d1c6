import type { Queries, Work } from '../kernel/database.ts'

/** Work that shares a transaction, and its caller that waits for the result. */
export interface Waiting {
  work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Gives the caller its result. Called once the transaction is committed. */
export type Answer = () => void

/** Runs one task of a transaction. Throws if the transaction must be rolled back. */
export async function runOne(
  { work, resolve, reject }: Waiting,
  queries: Queries,
): Promise<Answer> {
  const watched = watchStatements(queries)
  try {
    const result = await work(watched.queries)
    return () => resolve(result)
  } catch (error) {
    if (watched.hasTouched()) throw error
    return () => reject(error)
  }
}

/** Runs them one after the other. */
export async function runInTurn(works: readonly Waiting[], queries: Queries): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const one of works) answers.push(await runOne(one, queries))
  return answers
}

/**
 * Sends the single statements of all tasks without waiting for earlier ones. The server runs them
 * in order, so the effect is the same as running the tasks one after the other.
 */
export async function runAtOnce(works: readonly Waiting[], queries: Queries): Promise<Answer[]> {
  const outcomes = await Promise.allSettled(works.map((one) => runOne(one, queries)))
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

const isSelect = /^\s*select\b/i
/** Statements that change rows. Such a statement has written nothing if its row count is 0. */
const isChange = /^\s*(insert|update|delete)\b/i

/** The same statements, plus whether one of them has written or failed. */
function watchStatements(queries: Queries) {
  // A number, since statements of one work may run at the same time.
  let touched = 0
  const watch = async <Result>(isRead: boolean, ask: () => Promise<Result>): Promise<Result> => {
    if (!isRead) touched += 1
    try {
      return await ask()
    } catch (error) {
      touched += 1
      throw error
    }
  }
  const watched: Queries = {
    ...queries,
    all: (sql, values) => watch(isSelect.test(sql), () => queries.all(sql, values)),
    first: (sql, values) => watch(isSelect.test(sql), () => queries.first(sql, values)),
    async run(sql, values) {
      const count = await watch(false, () => queries.run(sql, values))
      if (count === 0 && isChange.test(sql)) touched -= 1
      return count
    },
  }
  return { hasTouched: () => touched > 0, queries: watched }
}
