import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries, Value, Work } from '../kernel/database.ts'
import type { Answer } from './connection.ts'
import { NoConnection } from './pool.ts'
import { createReadCache } from './read-cache.ts'
import { toUnavailable } from './retry.ts'
import type { Waiting } from './shared-work.ts'

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** The statements on one snapshot, and the error of the first that failed. */
export interface Snapshot {
  queries: Queries
  failure(): unknown
}

/** Runs `work` on one snapshot, and ends it. */
type OnSnapshot = (work: (snapshot: Snapshot) => Promise<void>) => Promise<void>

/** With more reads the wait would be longer than for another connection. */
const mostTogether = 8

/**
 * Reads of one turn of the event loop share a snapshot, since starting one costs as much as a
 * statement. The snapshot is taken after the last request of the turn. If a statement fails,
 * `alone` retries each read that has no result yet.
 */
export function createSharedReads(
  onSnapshot: OnSnapshot,
  alone: <Result>(work: Work<Result>) => Promise<Result>,
) {
  let readers: Waiting[] = []

  function startReading(): void {
    const all = readers
    readers = []
    for (let first = 0; first < all.length; first += mostTogether) {
      void readTogether(all.slice(first, first + mostTogether))
    }
  }

  async function readTogether(own: readonly Waiting[]): Promise<void> {
    const left = new Set(own)
    const settle = async (reader: Waiting, { queries, failure }: Snapshot): Promise<void> => {
      const answer = await reader.work(queries).then(
        (result) => () => reader.resolve(result),
        (error) => () => reader.reject(error),
      )
      if (failure() !== undefined) return
      left.delete(reader)
      answer()
    }
    try {
      if (own.length > 1) {
        await onSnapshot(async (snapshot) => {
          await Promise.all(own.map((reader) => settle(reader, snapshot)))
        })
      }
    } catch (error) {
      // No caller waits for a connection twice. The next attempt reports any other failure.
      if (error instanceof NoConnection) {
        for (const { reject } of left) reject(toUnavailable(error))
        return
      }
    }
    for (const { work, resolve, reject } of left) alone(work).then(resolve, reject)
  }

  return <Result>(work: Work<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (readers.length === 0) setImmediate(startReading)
      readers.push({ work, resolve: resolve as Waiting['resolve'], reject })
    })
}

/**
 * Sends a statement once for all callers of one turn of the event loop, after the last call. So it
 * sees everything that was committed by then. Requests of one client share the client lookup in
 * this way.
 */
export function sharingStatements(send: Send): Send {
  const cache = createReadCache()
  const sendLater = async (sql: string, values: readonly Value[]): Promise<Answer> => {
    await nextTurn()
    cache.clear()
    return send(sql, values)
  }
  return (sql, values = []) =>
    cache.find(sql, values, () => sendLater(sql, values)) as Promise<Answer>
}
