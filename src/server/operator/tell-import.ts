import { issueCodes } from '../../statements/statement.ts'
import type { EndedImport } from '../kernel/telemetry.ts'
import { noRows, type RowCounts } from '../sources/source-file.ts'
import type { ImportOrder } from './import-file.ts'
import type { ImportReport } from './import-report.ts'

/** An import as metrics and the log tell it. */
export const toEndedImport = (
  { client_id, origin }: ImportOrder,
  report: ImportReport,
  { ms, failed }: { ms: number; failed: boolean },
): EndedImport => ({
  clientId: client_id,
  itemId: report.item_id,
  // Rows that a mapping reads have its hash as a part of their origin.
  format: origin.split('-')[0] ?? origin,
  result: failed ? 'failed' : resultOf(report),
  rows: sumOf(report.accounts),
  ms,
})

function resultOf({ accounts, skipped, issues }: ImportReport): EndedImport['result'] {
  if (accounts.length === 0) return 'nothing'
  const isLost = skipped.length > 0 || issues.some(({ code }) => issueCodes[code].lost)
  return isLost ? 'partial' : 'whole'
}

function sumOf(accounts: readonly RowCounts[]): Record<string, number> {
  const sum = noRows()
  for (const account of accounts) {
    for (const key of Object.keys(sum) as (keyof RowCounts)[]) sum[key] += account[key]
  }
  return { ...sum }
}
