import {
  DatabaseBusy,
  DatabaseUnavailable,
  type Queries,
  UnknownOutcome,
  type Work,
} from '../kernel/database.ts'
import { outageMs } from './limits.ts'
import { runAtOnce, runInTurn, type Waiting } from './shared-work.ts'
import { StatementError } from './statement-error.ts'

interface Writer extends Waiting {
  isSingle: boolean
  since: number
}

/** Statements of one transaction: one after the other, or sent without waiting for those before. */
export interface Statements {
  queries: Queries
  together: Queries
}

/** Runs one transaction, and again where its connection was lost. */
type Transact = <Result>(
  work: (statements: Statements) => Promise<Result>,
  owner: string,
) => Promise<Result>

/** More would make the last of them wait for long. */
const mostTogether = 16
/**
 * How many of an owner's transactions are under way at once: one has the owner's lock, and the next
 * one waits for it at the server, which may be far away.
 */
const mostAtOnce = 2
/** How long a write waits for those before it: while the database answers, and while it is away. */
const longestWaitMs = { moving: 3000, away: 2 * outageMs }
/** A commit that took longer tells of a database that was away. */
const awayMs = 1500

/**
 * Transactions of one owner that wait together share one commit, and none is answered before it: each
 * sees what those before it have written. Where one of them fails after it has written, or a
 * statement fails, nothing of them is kept and each is done again alone. The statements of works that
 * are single are sent without waiting for each other.
 */
export function createSharedCommits(transact: Transact) {
  const waiting = new Map<string, Writer[]>()
  const running = new Map<string, number>()

  const hasRoom = (owner: string): boolean => (running.get(owner) ?? 0) < mostAtOnce

  /** `tookMs` is how long the transaction took that has made room. */
  function start(owner: string, tookMs = 0): void {
    const writers = waiting.get(owner) ?? []
    refuseLate(writers, tookMs < awayMs ? longestWaitMs.moving : longestWaitMs.away)
    const own = writers.splice(0, mostTogether)
    if (writers.length === 0) waiting.delete(owner)
    else if (own.length > 0) plan(owner)
    if (own.length === 0) return
    running.set(owner, (running.get(owner) ?? 0) + 1)
    const begun = performance.now()
    void commitTogether(own, owner).then(() => {
      const others = (running.get(owner) ?? 1) - 1
      if (others > 0) running.set(owner, others)
      else running.delete(owner)
      if (waiting.has(owner) && hasRoom(owner)) start(owner, performance.now() - begun)
    })
  }

  /** After this turn of the event loop, so that whoever comes in it is there. */
  function plan(owner: string): void {
    setImmediate(() => {
      if (hasRoom(owner)) start(owner)
    })
  }

  async function commitTogether(writers: readonly Writer[], owner: string): Promise<void> {
    const alone = ({ work, resolve, reject }: Writer) =>
      transact(({ queries }) => work(queries), owner).then(resolve, reject)
    const [first] = writers
    if (writers.length === 1 && first) return alone(first)
    const areSingle = writers.every(({ isSingle }) => isSingle)
    try {
      const answers = await transact(
        ({ queries, together }) =>
          areSingle ? runAtOnce(writers, together) : runInTurn(writers, queries),
        owner,
      )
      for (const answer of answers) answer()
    } catch (error) {
      if (error instanceof UnknownOutcome || isAway(error)) {
        for (const { reject } of writers) reject(error)
      } else await Promise.all(writers.map(alone))
    }
  }

  return <Result>(work: Work<Result>, owner: string, isSingle = false): Promise<Result> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const writer = { work, isSingle, since, resolve: resolve as Writer['resolve'], reject }
      const writers = waiting.get(owner)
      if (writers) writers.push(writer)
      else {
        waiting.set(owner, [writer])
        plan(owner)
      }
    })
}

/** While the database is away, each round of those that wait would else wait for it anew. */
function refuseLate(writers: Writer[], longestMs: number): void {
  const oldest = performance.now() - longestMs
  const late = writers.findIndex(({ since }) => since > oldest)
  for (const { reject } of writers.splice(0, late < 0 ? writers.length : late)) {
    reject(new DatabaseBusy('the writes of one client wait for each other'))
  }
}

/** Whether none of them can do better alone: it was no statement of theirs that failed. */
const isAway = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && !(error.cause instanceof StatementError)
