import { type Queries, UnknownOutcome, type Value } from '../kernel/database.ts'
import type { Answer, Connection } from './connection.ts'
import { LostConnection } from './statement-error.ts'

/** One transaction on a connection. */
export interface Session {
  queries: Queries
  /** The same, but sends each statement immediately. All must have results before the end. */
  together: Queries
  /** The error of the first statement that failed. Nothing can be committed after it. */
  failure(): unknown
  /** The error that prevented the transaction from starting. */
  notBegun(): unknown
  commit(): Promise<void>
  /** Ends a transaction that only read. Its result has no effect, so callers do not wait for it. */
  leave(): Promise<void>
  rollback(): Promise<void>
}

const doubt = 'the connection was lost while a transaction was committed'
const isSelect = /^\s*select\b/i
const unreplicated = 'a commit was told as done before a standby had it'

/** Begins a transaction. The next statements are sent without waiting for its result. */
export function beginSession(connection: Connection, begin: string): Session {
  let failure: unknown
  /**
   * Why no transaction is open. A write that is sent in spite of it would be committed immediately.
   */
  let notBegun: unknown
  let out = 0
  let last: Promise<unknown> = Promise.resolve()
  const sendNow = async (sql: string, values?: readonly Value[]): Promise<Answer> => {
    try {
      // A read without a transaction is safe, so it need not wait for the result of `begin`.
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
  /** Sends statements one after the other, even if a handler requests several at the same time. */
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
      // The work can be retried, since no commit was sent.
      if (connection.isLost()) throw new LostConnection('the connection was lost before the commit')
      await begun
      if (notBegun !== undefined) throw notBegun
      const { command } = await inTurn('commit').catch((error) => {
        // The server may have committed, so the work must not be retried.
        if (error instanceof LostConnection) failure = new UnknownOutcome(doubt, { cause: error })
        throw error
      })
      // The server returns ROLLBACK if a statement failed, even if the work ignored the error.
      if (command !== 'COMMIT') throw new Error('the transaction was not committed')
      // It returns COMMIT even if an operator has canceled its wait for a standby.
      if (connection.isUnreplicated()) {
        connection.drop()
        throw new UnknownOutcome(unreplicated)
      }
    },
    async leave() {
      // Statements that the handler did not await must end before the connection is released.
      if (out > 0) await last
      if (notBegun !== undefined) throw notBegun
      // Sent immediately. If no statement was sent, the result of `begin` arrives late. The next
      // transaction on the connection would then start before that result.
      connection.send('commit').catch(() => {})
    },
    async rollback() {
      if (out > 0) await last
      // Needed even if it has not begun: a lock timeout leaves a failed transaction open.
      if (!connection.isLost()) await connection.send('rollback').catch(() => {})
    },
  }
}

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>

/** The functions of `Queries` on top of a function that sends statements. */
export const toQueries = (send: Send): Queries => ({
  all: async <Row>(sql: string, values?: readonly Value[]) =>
    [...(await send(sql, values))] as Row[],
  first: async <Row>(sql: string, values?: readonly Value[]) =>
    (await send(sql, values))[0] as Row | undefined,
  run: async (sql, values) => (await send(sql, values)).count ?? 0,
  forUpdate: 'for update',
  skipLocked: 'for update skip locked',
})
