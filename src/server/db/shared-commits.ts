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

/** Statements of one transaction: sent one after the other, or `together` without waiting. */
export interface Statements {
  queries: Queries
  together: Queries
}

/** Runs one transaction, and retries it after a connection loss. */
type Transact = <Result>(
  work: (statements: Statements) => Promise<Result>,
  owner: string,
) => Promise<Result>

/** With more of them the last one would wait too long. */
const mostTogether = 16
/**
 * How many transactions of an owner run at once. One holds the owner's lock. The next one waits for
 * it at the server, which saves a round trip between the two.
 */
const mostAtOnce = 2
/**
 * How long a write waits for earlier writes, while the database is available and while it is not.
 */
const longestWaitMs = { moving: 3000, away: 2 * outageMs }
/** After a commit that took longer, the database counts as unavailable. */
const awayMs = 1500

/**
 * Waiting transactions of one owner share one commit, and callers get results only after it. Each
 * sees the writes of those before it. If one fails after a write, or a statement fails, all are
 * rolled back. Each is then run again on its own. If all are declared as single statements, these
 * are sent without waiting for each other.
 */
export function createSharedCommits(transact: Transact) {
  const waiting = new Map<string, Writer[]>()
  const running = new Map<string, number>()

  const hasRoom = (owner: string): boolean => (running.get(owner) ?? 0) < mostAtOnce

  /** `tookMs` is the duration of the transaction that has just ended. */
  function start(owner: string, tookMs = 0): void {
    const writers = waiting.get(owner) ?? []
    rejectLate(writers, tookMs < awayMs ? longestWaitMs.moving : longestWaitMs.away)
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

  /** Starts after this turn of the event loop, so that all writes of the turn take part. */
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

/**
 * Without this, each batch of waiting writes would wait the full time while the database is
 * unavailable.
 */
function rejectLate(writers: Writer[], longestMs: number): void {
  const oldest = performance.now() - longestMs
  const late = writers.findIndex(({ since }) => since > oldest)
  for (const { reject } of writers.splice(0, late < 0 ? writers.length : late)) {
    reject(new DatabaseBusy('the writes of one client wait for each other'))
  }
}

/** Whether the database itself failed, rather than a statement, so that no retry would succeed. */
const isAway = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && !(error.cause instanceof StatementError)
