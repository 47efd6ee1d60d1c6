import { type Queries, UnknownOutcome, type Value } from '../kernel/database.ts'
import type { Answer, Connection } from './connection.ts'
import { LostConnection } from './statement-error.ts'

/** One transaction on a connection. */
export interface Session {
  queries: Queries
  /**
   * The same for several, none of whom waits for the others' statements; all must be answered before
   * the end.
   */
  together: Queries
  /** Why the first statement that failed did so: nothing can be committed after it. */
  failure(): unknown
  /** Why it has not begun, where that is so. */
  notBegun(): unknown
  commit(): Promise<void>
  /** Ends what only read; nothing can come of it, so nothing waits for the answer. */
  leave(): Promise<void>
  rollback(): Promise<void>
}

const doubt = 'the connection was lost while a transaction was committed'
const isSelect = /^\s*select\b/i
const unreplicated = 'a commit was told as done before a standby had it'

/** Begins a transaction, for which nobody waits: what follows is sent at once. */
export function beginSession(connection: Connection, begin: string): Session {
  let failure: unknown
  /** Why there is no transaction: what is sent all the same would be kept at once. */
  let notBegun: unknown
  let out = 0
  let last: Promise<unknown> = Promise.resolve()
  const sendNow = async (sql: string, values?: readonly Value[]): Promise<Answer> => {
    try {
      // To read costs nothing where nothing was begun, and so need not wait for that answer.
      if (!isSelect.test(sql)) await begun
      if (notBegun !== undefined) throw notBegun
      return await connection.send(sql, values)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  const send = (sql: string, values?: readonly Value[]): Promise<Answer> =>
    sendNow(sql, values).finally(() => {
      out -= 1
    })
  /** One after the other, also where a handler asks for several at once. */
  const inTurn = (sql: string, values?: readonly Value[]): Promise<Answer> => {
    out += 1
    const answer = out === 1 ? send(sql, values) : last.then(() => send(sql, values))
    last = answer.catch(() => {})
    return answer
  }
  const begun = connection.send(begin).catch((error) => {
    failure ??= error
    notBegun = error
  })
  return {
    queries: toQueries(inTurn),
    together: toQueries(sendNow),
    failure: () => failure,
    notBegun: () => notBegun,
    async commit() {
      // What was lost before can be done again: nobody was asked to keep it.
      if (connection.isLost()) throw new LostConnection('the connection was lost before the commit')
      await begun
      if (notBegun !== undefined) throw notBegun
      const { command } = await inTurn('commit').catch((error) => {
        // It may have happened all the same, so it must not be done again.
        if (error instanceof LostConnection) failure = new UnknownOutcome(doubt, { cause: error })
        throw error
      })
      // So the server answers where a statement had failed, though the work went on.
      if (command !== 'COMMIT') throw new Error('the transaction was not committed')
      // So it does, too, where somebody has ended its wait for a standby.
      if (connection.isUnreplicated()) {
        connection.drop()
        throw new UnknownOutcome(unreplicated)
      }
    },
    async leave() {
      // What a handler did not wait for must be over before the connection goes to somebody else.
      if (out > 0) await last
      if (notBegun !== undefined) throw notBegun
      // At once, and not after the answer to `begin`, which comes late where nothing was asked:
      // whoever has the connection next would begin in between.
      connection.send('commit').catch(() => {})
    },
    async rollback() {
      if (out > 0) await last
      // Also where it has not begun: a lock that was not granted leaves a failed transaction open.
      if (!connection.isLost()) await connection.send('rollback').catch(() => {})
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
