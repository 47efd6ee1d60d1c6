import type { Queries, Value } from './database.ts'
import { type Answer, type Lane, LostConnection } from './lane.ts'

/** One transaction on a lane. */
export interface Session {
  queries: Queries
  /** Why the first statement that failed did so: nothing can be committed after it. */
  failure(): unknown
  commit(): Promise<void>
  /** Sent at once, so that the lane may be given on before the answer, unless statements are out. */
  rollback(): Promise<void>
  /** Whether every statement was answered. */
  isIdle(): boolean
}

const doubt = 'the connection was lost while a transaction was committed'

/** Begins a transaction; `begin` is on its way together with the first statement. */
export function beginSession(lane: Lane, begin: string): Session {
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
  lane.send(begin).catch((error) => {
    failure ??= error
  })
  return {
    queries: toQueries(inTurn),
    failure: () => failure,
    async commit() {
      const { command } = await inTurn('commit').catch((error) => {
        // It may have happened all the same, so it must not be done again.
        if (error instanceof LostConnection) failure = new Error(doubt, { cause: error })
        throw error
      })
      if (command !== 'COMMIT') throw new Error('the transaction was not committed')
    },
    async rollback() {
      if (!lane.isLost()) await inTurn('rollback').catch(() => {})
    },
    isIdle: () => out === 0,
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
  skipLocked: 'for update skip locked',
})
