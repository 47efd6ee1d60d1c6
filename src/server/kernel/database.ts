/** What a statement takes and a column holds. Text is UTF-8, money is an integer of minor units. */
export type Value = string | number | bigint | null | Uint8Array

/** Runs statements. Their text is SQL that every engine here knows, with `$1`, `$2` … for values. */
export interface Queries {
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>
  first<Row>(sql: string, values?: readonly Value[]): Promise<Row | undefined>
  /** Returns how many rows changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>
  /** Ends a `select` of rows to work on: waits for other transactions that lock them, and then locks them. */
  forUpdate: string
  /** The same, but rows that somebody works on are passed over. */
  skipLocked: string
}

/**
 * How far a transaction is kept from others. `serializable`: as if it ran alone, whatever it reads
 * and concludes; with an owner, alone among that owner's, so of other owners' rows it relies only
 * on those that it locks. `row`: only each statement does; enough for what reads nothing that it
 * then relies on. An engine may give more than is asked for.
 */
export type Isolation = 'serializable' | 'row'

/** What a transaction may say about itself; an engine may do without it. */
export interface TransactionOptions<Result = unknown> {
  isolation?: Isolation
  /**
   * Whose rows it changes: those of one owner run one after the other, and those of `row` beside
   * each other, but not beside one of these.
   */
  owner?: string | undefined
  /**
   * Its result, at once and without `work`, where another transaction of its owner is under way;
   * without this it waits for the others.
   */
  ifBusy?: Result
  /** Whether it is over soon, so that others of its owner may share its commit. */
  isShort?: boolean
  /** Whether it is one statement at most, which an engine may send along with those of others. */
  isSingle?: boolean
  /**
   * Whether it may be lost when the machine fails: its work would be done again, or nobody relies on
   * it. Then its commit need not wait for the disk; that of a later transaction makes both durable.
   */
  mayBeLost?: boolean
}

/** What a read may say about itself. */
export type ReadOptions = Pick<TransactionOptions, 'isSingle'>

/** A database; the only thing that anything outside this folder knows of the engine. */
export interface Database {
  /** Whether other processes may use it at the same time. */
  shared: boolean
  /** Statements that read, each on what is committed when it comes. */
  single: Queries
  /**
   * Runs `work`: all of it happens, durably unless it may be lost, or none. It may be run again from
   * its beginning if another transaction came between, so it must leave nothing outside until it has
   * returned, and wait for nothing but its own statements, since others may wait for it.
   */
  transaction<Result>(work: Work<Result>, options?: TransactionOptions<Result>): Promise<Result>
  /** Runs `work` on one consistent state; it must not write, and may be run again from its beginning. */
  read<Result>(work: Work<Result>, options?: ReadOptions): Promise<Result>
  /** A transaction that waits for those of its kind in all processes: for what is done only once. */
  exclusive<Result>(work: Work<Result>): Promise<Result>
  /**
   * Counts what is there, after much was written at once, so that statements are planned for it. Not
   * where plans depend on no figures.
   */
  analyze?(): Promise<void>
  /**
   * Copies all of it into a new file, durably, while work goes on: what is committed before it
   * begins is in the copy, and some of what is committed meanwhile. Not where a server has its own
   * ways.
   */
  backup?(file: string): Promise<void>
  close(): Promise<void>
}

/** What reads, or writes, within one transaction. */
export type Work<Result> = (queries: Queries) => Promise<Result>

/** Work that was declared as a single statement has asked for a second one. */
export class SecondStatement extends Error {}

/** The same work, which fails where it asks for a second statement, whatever it makes of that. */
export const asSingle =
  <Result>(work: Work<Result>): Work<Result> =>
  async (queries) => {
    let count = 0
    const once = async <Found>(ask: () => Promise<Found>): Promise<Found> => {
      count += 1
      if (count > 1) throw new SecondStatement('a single statement was declared, and a second came')
      return ask()
    }
    const counted: Queries = {
      ...queries,
      all: (sql, values) => once(() => queries.all(sql, values)),
      first: (sql, values) => once(() => queries.first(sql, values)),
      run: (sql, values) => once(() => queries.run(sql, values)),
    }
    const [outcome] = await Promise.allSettled([work(counted)])
    if (count > 1) throw new SecondStatement('a single statement was declared, and more came')
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }

/** A database that cannot be used as it is, in one line. */
export class DatabaseError extends Error {}

/** The database cannot do it now: nothing was kept, and the same may well succeed later. */
export class DatabaseUnavailable extends Error {}

/** The database is there, but other work kept this from being done in time: nothing was kept. */
export class DatabaseBusy extends DatabaseUnavailable {}

/** A statement of the work took longer than one may: nothing was kept. */
export class OverTime extends DatabaseUnavailable {}

/** The store takes no writes for now, as on a full disk. What only reads may go on. */
export class WritesRejected extends DatabaseUnavailable {
  /** Why, without naming a file or a server. */
  readonly reason: string
  constructor(message: string, reason: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The connection or the disk failed as work was committed: whether it was kept is not known. */
export class UnknownOutcome extends Error {}

/** The same statements without the one that writes. */
export const onlyReading = (queries: Queries): Queries => ({
  ...queries,
  run: () => Promise.reject(new Error('this must only read')),
})
