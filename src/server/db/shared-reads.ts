import { DatabaseUnavailable, type Queries, type Value, type Work } from './database.ts'
import type { Answer } from './lane.ts'
import { NoLane } from './lanes.ts'
import { createKinds, SecondStatement, watchStatements } from './run-together.ts'

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** Works of one connection, and why a statement of theirs failed, if one did. */
export interface Reads {
  queries: Queries
  failure(): unknown
}

/** What reads for several at once. */
export interface Reading {
  /** Runs `work` on one snapshot, and ends it. */
  onSnapshot(work: (reads: Reads) => Promise<void>): Promise<void>
  /** Runs `work` where each statement has a snapshot of its own. */
  onStatements(work: (reads: Reads) => Promise<void>): Promise<void>
  /** The same on one snapshot for one, which is done again where that may help. */
  alone<Result>(work: Work<Result>): Promise<Result>
}

/** One connection answers them one after the other, so that others may take more of them. */
const mostOnSnapshot = 8
/** Single statements are over soon. */
const mostStatements = 32

interface Reader {
  work: Work<unknown>
  kind: string
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Reads that are asked for in one turn of the event loop share a snapshot, which is taken after the
 * last of them has asked: beginning one costs as much as a statement. Those that are known to be one
 * statement need none. Where a statement fails, or a second one is asked for, each is done again
 * alone.
 */
export function createSharedReads({ onSnapshot, onStatements, alone }: Reading) {
  const kinds = createKinds()
  let readers: Reader[] = []

  function startReading(): void {
    const { single = [], other = [] } = Object.groupBy(readers, ({ kind }) =>
      kind !== '' && kinds.isSingle(kind) ? 'single' : 'other',
    )
    readers = []
    for (const own of inGroups(single, mostStatements)) void readTogether(own, onStatements, 1)
    for (const own of inGroups(other, mostOnSnapshot)) {
      if (own.length > 1) void readTogether(own, onSnapshot, Infinity)
      else for (const reader of own) readAlone(reader)
    }
  }

  /** Runs a work that may ask for so many statements, and notes how many it asked for. */
  async function run({ work, kind }: Reader, queries: Queries, most = Infinity): Promise<unknown> {
    const watched = watchStatements(queries, most)
    const end = (): void => {
      if (kind !== '') kinds.note(kind, watched.count())
      // Also where the work has gone on without its answer, or told of it in words of its own.
      if (watched.count() > most) throw new SecondStatement()
    }
    try {
      const result = await work(watched.queries)
      end()
      return result
    } catch (error) {
      end()
      throw error
    }
  }

  function readAlone(reader: Reader): void {
    alone((queries) => run(reader, queries)).then(reader.resolve, reader.reject)
  }

  async function readTogether(
    own: readonly Reader[],
    on: Reading['onSnapshot'],
    most: number,
  ): Promise<void> {
    const left = new Set(own)
    const settle = async (reader: Reader, { queries, failure }: Reads): Promise<void> => {
      try {
        const result = await run(reader, queries, most)
        if (failure() !== undefined) return
        reader.resolve(result)
      } catch (error) {
        if (failure() !== undefined || error instanceof SecondStatement) return
        reader.reject(error)
      }
      left.delete(reader)
    }
    try {
      await on(async (reads) => {
        await Promise.all(own.map((reader) => settle(reader, reads)))
      })
    } catch (error) {
      // Nobody waits for a connection twice.
      if (error instanceof NoLane) {
        for (const { reject } of left)
          reject(new DatabaseUnavailable(error.message, { cause: error }))
        return
      }
      // Whoever else has no answer reads alone, and is told what fails then.
    }
    for (const reader of left) readAlone(reader)
  }

  return <Result>(work: Work<Result>, kind = ''): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (readers.length === 0) setImmediate(startReading)
      readers.push({ work, kind, resolve: resolve as Reader['resolve'], reject })
    })
}

function* inGroups<Element>(list: readonly Element[], size: number): Generator<Element[]> {
  for (let first = 0; first < list.length; first += size) yield list.slice(first, first + size)
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
