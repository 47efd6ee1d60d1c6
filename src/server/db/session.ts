import type { Queries, Value } from './database.ts'
import { type Answer, type Lane, LostConnection } from './lane.ts'

/** One transaction on a lane. */
export interface Session {
  queries: Queries
  /** Why the first statement that failed did so: nothing can be committed after it. */
  failure(): unknown
  commit(): Promise<void>
  /** Ends what only read; nothing can come of it, so nothing waits for the answer. */
  leave(): Promise<void>
  rollback(): Promise<void>
  /** Lets the next one have its turn, if this one had one. */
  unlock(): void
}

const doubt = 'the connection was lost while a transaction was committed'

/** Begins a transaction, in turn with others where a lock is named. It costs no time of its own. */
export function beginSession(lane: Lane, begin: string, lock?: bigint): Session {
  let failure: unknown
  let out = 0
  let last: Promise<unknown> = Promise.resolve()
  const send = async (sql: string, values?: readonly Value[]): Promise<Answer> => {
    try {
      return await lane.send(sql, values)
    } catch (error) {
      failure ??= error
      throw error
    } finally {
      out -= 1
    }
  }
  /** One after the other, also where a handler asks for several at once. */
  const inTurn = (sql: string, values?: readonly Value[]): Promise<Answer> => {
    out += 1
    const answer = out === 1 ? send(sql, values) : last.then(() => send(sql, values))
    last = answer.catch(() => {})
    return answer
  }
  const sendBefore = (sql: string) =>
    lane.send(sql).catch((error) => {
      failure ??= error
    })
  // Before the transaction: what it sees must be what those before it in the turn have left.
  if (lock !== undefined) sendBefore(`select pg_advisory_lock(${lock})`)
  sendBefore(begin)
  return {
    queries: toQueries(inTurn),
    failure: () => failure,
    async commit() {
      const { command } = await inTurn('commit').catch((error) => {
        // It may have happened all the same, so it must not be done again.
        if (error instanceof LostConnection) failure = new Error(doubt, { cause: error })
        throw error
      })
      // So the server answers where a statement had failed, though the work went on.
      if (command !== 'COMMIT') throw new Error('the transaction was not committed')
    },
    async leave() {
      // What a handler did not wait for must be over before the lane goes to somebody else.
      if (out > 0) await last
      inTurn('commit').catch(() => {})
    },
    unlock() {
      if (lock === undefined || lane.isLost()) return
      lane.send(`select pg_advisory_unlock(${lock})`).catch(() => {})
    },
    async rollback() {
      if (!lane.isLost()) await inTurn('rollback').catch(() => {})
    },
  }
}

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** The statements of the interface, on whatever sends them. */
export const toQueries = (send: Send): Queries => ({
  all: async <Row>(sql: string, values?: readonly Value[]) =>
    [...(await send(sql, values))] as Row[],
  first: async <Row>(sql: string, values?: readonly Value[]) =>
    (await send(sql, values))[0] as Row | undefined,
  run: async (sql, values) => (await send(sql, values)).count ?? 0,
  forUpdate: 'for update',
  skipLocked: 'for update skip locked',
})
