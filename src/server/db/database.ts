/** What a statement takes and a column holds. Text is UTF-8, money is an integer of minor units. */
export type Value = string | number | bigint | null | Uint8Array

/** Runs statements. Their text is SQL that every engine here knows, with `$1`, `$2` … for values. */
export interface Queries {
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>
  first<Row>(sql: string, values?: readonly Value[]): Promise<Row | undefined>
  /** Returns how many rows changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>
}

/** A database; the only thing that anything outside this folder knows of the engine. */
export interface Database {
  /**
   * Runs `work` alone: all of it happens, durably, or none. It must wait for nothing but its own
   * statements, since others may wait for it.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  /** Runs `work` on one consistent state; it must not write. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
