import type { Queries, Value, Work } from '../kernel/database.ts'
import type { Answer } from './lane.ts'
import { NoLane } from './lanes.ts'
import { toUnavailable } from './retry.ts'
import { createKinds, SecondStatement, watchStatements } from './run-together.ts'

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** Works of one snapshot, and why a statement of theirs failed, if one did. */
export interface Snapshot {
  queries: Queries
  failure(): unknown
}

/** Ways to read, each done again where that may help, but for the snapshot of several. */
export interface Reading {
  /** Runs `work` on one snapshot, and ends it. */
  onSnapshot(work: (snapshot: Snapshot) => Promise<void>): Promise<void>
  /** The same for one. */
  alone<Result>(work: Work<Result>): Promise<Result>
  /** Runs `work` where each statement has a snapshot of its own. */
  onStatements<Result>(work: Work<Result>): Promise<Result>
}

/** One connection answers them one after the other, so that others may take more of them. */
const mostTogether = 8

interface Reader {
  work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Reads that are asked for in one turn of the event loop share a snapshot, which is taken after the
 * last of them has asked: beginning one costs as much as a statement. Where a statement fails, each
 * is done again alone. Those of a kind that is known to be one statement need none; where they ask
 * for a second one, they are done again on one.
 */
export function createSharedReads({ onSnapshot, alone, onStatements }: Reading) {
  const kinds = createKinds()
  let readers: Reader[] = []

  function startReading(): void {
    const all = readers
    readers = []
    for (let first = 0; first < all.length; first += mostTogether) {
      void readTogether(all.slice(first, first + mostTogether))
    }
  }

  function readAlone({ work, resolve, reject }: Reader): void {
    alone(work).then(resolve, reject)
  }

  async function readTogether(own: readonly Reader[]): Promise<void> {
    const [first] = own
    if (own.length === 1 && first) return readAlone(first)
    const left = new Set(own)
    try {
      await onSnapshot(async (snapshot) => {
        await Promise.all(own.map((reader) => settle(reader, snapshot, left)))
      })
    } catch (error) {
      // Nobody waits for a connection twice.
      if (error instanceof NoLane) {
        for (const { reject } of left) reject(toUnavailable(error))
        return
      }
      // Whoever else has no answer reads alone, and is told what fails then.
    }
    for (const reader of left) readAlone(reader)
  }

  const readOnSnapshot = <Result>(work: Work<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (readers.length === 0) setImmediate(startReading)
      readers.push({ work, resolve: resolve as Reader['resolve'], reject })
    })

  return async <Result>(work: Work<Result>, kind = ''): Promise<Result> => {
    if (kind === '') return readOnSnapshot(work)
    const counting = (most: number) =>
      countStatements(work, most, (count) => kinds.note(kind, count))
    if (!kinds.isSingle(kind)) return readOnSnapshot(counting(Infinity))
    try {
      return await onStatements(counting(1))
    } catch (error) {
      if (!(error instanceof SecondStatement)) throw error
      return readOnSnapshot(counting(Infinity))
    }
  }
}

/** The same work, which tells at its end how many statements it asked for, and must not ask for more. */
const countStatements =
  <Result>(work: Work<Result>, most: number, tell: (count: number) => void): Work<Result> =>
  async (queries) => {
    const watched = watchStatements(queries, most)
    const count = watched.count
    let result: Result
    try {
      result = await work(watched.queries)
    } catch (error) {
      // What is refused at once might else have asked for more.
      if (count() > 1) tell(count())
      throw count() > most ? new SecondStatement() : error
    }
    tell(count())
    // The work has gone on without its answer.
    if (count() > most) throw new SecondStatement()
    return result
  }

async function settle(reader: Reader, snapshot: Snapshot, left: Set<Reader>): Promise<void> {
  try {
    const result = await reader.work(snapshot.queries)
    if (snapshot.failure() !== undefined) return
    reader.resolve(result)
  } catch (error) {
    if (snapshot.failure() !== undefined) return
    reader.reject(error)
  }
  left.delete(reader)
}

/**
 * A statement that several ask for in one turn of the event loop is sent once for all of them, after
 * the last has asked, so that it sees what was committed by then: as one client's many requests do,
 * each of which looks the client up.
 */
export function sharingStatements(send: Send): Send {
  const asked = new Map<string, Promise<Answer>>()
  return (sql, values = []) => {
    if (!values.every((value) => typeof value === 'string')) return send(sql, values)
    const key = [sql, ...values].join('\0')
    const known = asked.get(key)
    if (known) return known
    const answer = new Promise<Answer>((resolve, reject) => {
      setImmediate(() => {
        asked.delete(key)
        send(sql, values).then((rows) => {
          // Several have them, so nobody may change them.
          for (const row of rows) Object.freeze(row)
          resolve(rows)
        }, reject)
      })
    })
    asked.set(key, answer)
    return answer
  }
}
