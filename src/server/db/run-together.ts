import type { Queries, Work } from '../kernel/database.ts'

/** Work that shares a transaction, and who waits for it. */
export interface Waiting {
  work: Work<unknown>
  kind: string
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Tells whoever waited, once the transaction is committed. */
type Answer = () => void

/** What was taken for a single statement has asked for another one. */
export class SecondStatement extends Error {}

/** For so long it is remembered that a kind of work asked for more than one statement. */
const severalMs = 10_000

/** Which kinds of work are a single statement, as far as has been seen. */
export function createKinds(now: () => number = () => performance.now()) {
  const single = new Set<string>()
  const severalUntil = new Map<string, number>()
  function noteSeveral(kind: string): void {
    single.delete(kind)
    severalUntil.set(kind, now() + severalMs)
  }
  return {
    isSingle: (kind: string) => single.has(kind),
    /** `statements` is how many a work of this kind asked for. */
    note(kind: string, statements: number): void {
      if (statements > 1) noteSeveral(kind)
      else if (statements === 1 && !single.has(kind)) {
        if (now() >= (severalUntil.get(kind) ?? 0)) single.add(kind)
      }
    },
    /** For a work that has to be done like one of several statements, whatever it asked for. */
    noteSeveral,
  }
}

type Kinds = ReturnType<typeof createKinds>

/** Runs one after the other; throws where all of it has to be undone. */
export async function runAll(
  works: readonly Waiting[],
  queries: Queries,
  kinds: Kinds,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const one of works) {
    const watched = watchStatements(queries)
    answers.push(await runOne(one, watched))
    kinds.note(one.kind, watched.count())
  }
  return answers
}

/**
 * Sends the statements of all in one go, so that nobody waits for the way to the server and back. It
 * is as if they ran one after the other, as long as none of them has a second statement: that one
 * would come after the others' first ones.
 */
export async function runAtOnce(
  works: readonly Waiting[],
  queries: Queries,
  kinds: Kinds,
): Promise<Answer[]> {
  const outcomes = await Promise.allSettled(
    works.map(async (one) => {
      const watched = watchStatements(queries, 1)
      const settled = await runOne(one, watched).finally(() =>
        kinds.note(one.kind, watched.count()),
      )
      // Also where the work has gone on without it.
      if (watched.count() > 1) throw new SecondStatement()
      return settled
    }),
  )
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

async function runOne({ work, resolve, reject }: Waiting, watched: Watched): Promise<Answer> {
  try {
    const result = await work(watched.queries)
    return () => resolve(result)
  } catch (error) {
    if (watched.hasTouched()) throw error
    return () => reject(error)
  }
}

const isSelect = /^\s*select\b/i

type Watched = ReturnType<typeof watchStatements>

/** The same statements up to `most`, how many were asked for, and whether one has written, or failed. */
export function watchStatements(queries: Queries, most = Infinity) {
  let touched = false
  let count = 0
  const watch = async <Result>(isRead: boolean, ask: () => Promise<Result>): Promise<Result> => {
    count += 1
    if (!isRead) touched = true
    try {
      if (count > most) throw new SecondStatement()
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
    run: (sql, values) => watch(false, () => queries.run(sql, values)),
  }
  return { hasTouched: () => touched, count: () => count, queries: watched }
}
