import type { ImportReport } from './import-report.ts'

/** An import that failed after a part of its file was committed. The report tells that part. */
export class UnfinishedImport extends Error {
  override readonly name = 'UnfinishedImport'
  readonly report: ImportReport
  constructor(report: ImportReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.report = report
  }
}
