import type { CsvMapping } from '../../../generated/statements/types.ts'
import type { CsvTable } from '../../statements/csv/table.ts'
import type { StatementFormat } from '../../statements/statement.ts'
import type { ReadSummary } from './read-summary.ts'

/** What the reader of a file is given. */
export interface WorkerInput {
  /** The formats that the institution accepts; undefined for all. */
  formats: readonly string[] | undefined
  /** Which column is what, of a CSV file. */
  mapping: CsvMapping | undefined
}

/** What the reader asks for: the next bytes of the file, or that something is written. */
export type Question =
  | { kind: 'bytes' }
  | { kind: 'rows'; place: number; parts: readonly string[] }
  | { kind: 'statements'; statements: string }

/** How the reading ended. */
export type FromWorker =
  | ({ kind: 'read'; format: StatementFormat } & ReadSummary)
  /** A CSV file whose columns nobody can tell. */
  | { kind: 'columns'; table: CsvTable }
  /** One without any row. */
  | { kind: 'empty' }
  /** No statement, in one line. */
  | { kind: 'other'; told: string }
  /** A format that the institution does not accept. */
  | { kind: 'format' }
