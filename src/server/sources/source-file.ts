import type { SourceAccount, SourceBalance } from '../../statements/statement.ts'
import type { Categorized } from './describe.ts'
import type { FindCategory } from './own-categories.ts'
import type { Signs } from './signs.ts'

/** A row of a statement, with what its key needs beside its own fields. */
export interface StagedRow extends Categorized {
  /** Which of the rows of a file that are equal in account, date, amount and text it is; 1 is the first. */
  occurrence: number
  /** Whether the file gives its id to another booking, too. */
  sharesId: boolean
  /** The amount in the file, where that is not from the view of the account's holder. */
  toldAmount?: string
}

/** A statement that has been read to its end. */
export interface SourceStatement {
  /** Ids of different origins are not compared. */
  origin: string
  format: string
  account: SourceAccount
  balances: readonly SourceBalance[]
  /** The currencies of its rows. */
  currencies: ReadonlySet<string>
  period: { from?: string; to?: string }
  /** The days that it tells of: its period, or those of its posted rows. Empty where there are none. */
  days: { from: string; to: string }
  /** What the amounts of its posted rows add up to without their signs, in minor units. */
  turnover: number
  /** What those amounts add up to with their signs. */
  posted: number
  /** Whether the statement tells what is pending. */
  hasPending: boolean
  /** Whether it tells the day so far, and another statement will tell the day again. */
  isIntraday: boolean
  /**
   * Whether it was told just now, so that its balances are the present ones. Of what is pending it
   * knows only its own days.
   */
  isLive?: boolean
  /**
   * How many of its first days count as not told yet, so that the read before them overlaps it: a row
   * may come late.
   */
  overlapDays?: number
  /** The forms of its rows. */
  forms: number
  /** Whether its ids alone say which row is which. */
  isExact?: boolean
  /** The ids of rows that its source has removed. */
  removed?: readonly string[]
  /** The rows of so many parts, from one on, in the order of the file; none after the last part. */
  rows(part: number, parts: number): Promise<readonly StagedRow[]>
}

/** What a source cannot say about its accounts, from who imports it. */
export interface AccountAnswers {
  kind?: { type: string; subtype: string }
  /** In minor units from the customer's view, where no statement of the account tells a balance. */
  balance?: number
  /** Whether a statement counts whose balances do not fit its rows. */
  partial?: boolean
  /** Finds the category of a booking by the operator's words. */
  find?: FindCategory
  /** The signs of its cards and loans, from who imports it. */
  signs?: Signs
  /** Those that all files of its institution have. */
  usualSigns?: Signs
}

/** What an import did with the rows of an account. */
export interface RowCounts {
  /** Rows that became transactions. */
  new: number
  /** Rows that had been imported before. */
  known: number
  /** Rows that were recognized as a transaction of another origin, or as the posted one of a pending. */
  merged: number
  /** Transactions that the source has corrected. */
  changed: number
  /** Transactions that the source has withdrawn. */
  removed: number
  /**
   * Rows that an operator should look at: kept apart although their id stands for another booking, or
   * told by another origin with another text, whether they were merged or stayed apart.
   */
  doubtful: number
}

export const noRows = (): RowCounts => ({
  new: 0,
  known: 0,
  merged: 0,
  changed: 0,
  removed: 0,
  doubtful: 0,
})

export const addCounts = (some: RowCounts, more: RowCounts): RowCounts => ({
  new: some.new + more.new,
  known: some.known + more.known,
  merged: some.merged + more.merged,
  changed: some.changed + more.changed,
  removed: some.removed + more.removed,
  doubtful: some.doubtful + more.doubtful,
})

/** A statement that cannot become an Item's, in one line. */
export class RejectedStatement extends Error {
  override readonly name = 'RejectedStatement'
}
