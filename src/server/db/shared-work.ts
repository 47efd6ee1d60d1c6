import type { Queries, Work } from '../kernel/database.ts'

/** Work that shares a transaction, and the caller that waits for it. */
export interface Waiting {
  work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Answers the caller; called once the transaction is committed. */
export type Answer = () => void

/** Runs one of several works of a transaction; throws where the transaction has to be undone. */
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
 * Sends the single statements of all without waiting for those before. The server runs them one after
 * the other, so that is as if the works ran one after the other.
 */
export async function runAtOnce(works: readonly Waiting[], queries: Queries): Promise<Answer[]> {
  const outcomes = await Promise.allSettled(works.map((one) => runOne(one, queries)))
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

const isSelect = /^\s*select\b/i
/** Of these no rows are written where none is counted. */
const isChange = /^\s*(insert|update|delete)\b/i

/** The same statements, and whether one of them has written, or failed. */
function watchStatements(queries: Queries) {
  let touched = false
  const watch = async <Result>(isRead: boolean, ask: () => Promise<Result>): Promise<Result> => {
    if (!isRead) touched = true
    try {
      return await ask()
    } catch (error) {
      touched = true
      throw error
    }
  }
  const watched: Queries = {
    ...queries,
    all: (sql, values) => watch(isSelect.test(sql), () => queries.all(sql, values)),
    first: (sql, values) => watch(isSelect.test(sql), () => queries.first(sql, values)),
    async run(sql, values) {
      const before = touched
      const count = await watch(false, () => queries.run(sql, values))
      if (count === 0 && isChange.test(sql)) touched = before
      return count
    },
  }
  return { hasTouched: () => touched, queries: watched }
}
