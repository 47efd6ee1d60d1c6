import type { SourceAccount, SourceBalance, SourceTransaction } from '../../statements/statement.ts'
import type { CallOut } from './call-out.ts'

/** What a source tells, in its order. An account comes before what belongs to it, named by its `ref`. */
export type Message =
  | { type: 'account'; ref: string; account: SourceAccount }
  | { type: 'balance'; ref: string; balance: SourceBalance }
  | { type: 'transaction'; ref: string; transaction: SourceTransaction }
  /** All bookings of these days were told, and with `pending` also what is pending. */
  | { type: 'covered'; ref: string; from: string; to: string; pending: boolean }
  | { type: 'issue'; issue: SourceIssue }
  /** What the next read needs. Stored with the rows before it. It must hold no secret. */
  | { type: 'state'; state: unknown }

/** Something that the source could not tell. The rest goes on. */
export interface SourceIssue {
  /**
   * `login`: the user must authorize a bank again. `account`: accounts were not read. `row`: a row
   * could not be read. `notice`: a text for people. `login` and `notice` have the words of the source.
   */
  kind: 'login' | 'account' | 'row' | 'notice'
  /** Plain text of at most 200 characters. */
  message: string
}

/** What a read uses. */
export interface ProtocolContext {
  /** Those of the institution, without references. */
  settings: unknown
  call: CallOut
  /** Real time in ms. */
  now: number
}

/** The first and the last day of a read. */
export interface Window {
  from: string
  to: string
}

/** What to read. */
export interface Reading {
  secret: string
  window: Window
  /** What the read before it left; undefined for the first one. */
  state: unknown
  /** Whether to read accounts and balances alone. */
  balancesOnly?: boolean
}

/** How often a source may be called. */
export interface CallLimits {
  minIntervalSeconds: number
  callsPerDay: number
  /** How many days one call may ask for. */
  maxWindowDays: number
}

/** Knows one protocol. What is the same for all is in `sources` and in the worker. */
export interface Protocol {
  id: string
  keyVersion: number
  limits: CallLimits
  /** Makes one call. Throws `SourceFailed` if the source gave nothing. */
  read(ctx: ProtocolContext, reading: Reading): AsyncIterable<Message>
}
