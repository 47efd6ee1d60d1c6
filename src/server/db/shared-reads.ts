import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries, Value, Work } from '../kernel/database.ts'
import type { Answer } from './connection.ts'
import { NoConnection } from './pool.ts'
import { createReadCache } from './read-cache.ts'
import { toUnavailable } from './retry.ts'
import type { Waiting } from './shared-work.ts'

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** The statements of one snapshot, and the error of the first that failed. */
export interface Snapshot {
  queries: Queries
  failure(): unknown
}

/** Runs `work` on one snapshot, and ends it. */
type OnSnapshot = (work: (snapshot: Snapshot) => Promise<void>) => Promise<void>

/** More would wait for each other longer than for another connection. */
const mostTogether = 8

/**
 * Reads that are asked for in one turn of the event loop share a snapshot, which is taken after the
 * last of them has asked: beginning one costs as much as a statement. Where a statement fails, each
 * that has no result yet is done by `alone`, which tries again.
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
      // Nobody waits for a connection twice. Any other failure is told by the next attempt.
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
 * Sends a statement once for all that ask for it in one turn of the event loop, after the last has
 * asked. So it sees what was committed by then. The requests of one client share the lookup of the
 * client in this way.
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
