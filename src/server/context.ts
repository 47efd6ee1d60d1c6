import type { Queries } from './db/database.ts'
import type { Keys } from './keys.ts'

/** The calling client, as its row says. */
export interface ClientRow {
  client_id: string
  default_version: string | null
  /** What its clock is ahead of the real one. */
  clock_offset_ms: number
}

/** All that a handler may use. */
export interface Context {
  /** The statements of this request's transaction. */
  db: Queries
  client: ClientRow
  /** The service's time, to the second: `2026-03-16T14:05:09Z`. */
  now: string
  /** A new identifier in one of the forms of the interface. */
  newId(kind: IdKind): string
  keys: Keys
}

/** The forms of identifiers. */
export type IdKind = 'request' | 'opaque' | 'uuid' | 'token'
