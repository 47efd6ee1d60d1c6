import { issueCodes } from '../../statements/statement.ts'
import type { EndedImport } from '../kernel/telemetry.ts'
import { noRows, type RowCounts } from '../sources/source-file.ts'
import type { ImportOrder } from './import-file.ts'
import type { ImportReport } from './import-report.ts'

/** The format of the file: rows that a mapping reads have its hash as a part of their origin. */
export const formatOf = ({ origin }: Pick<ImportOrder, 'origin'>): string =>
  origin.split('-')[0] ?? origin

/** An import as metrics and the log tell it. */
export const toEndedImport = (
  order: ImportOrder,
  report: ImportReport,
  { ms, failed }: { ms: number; failed: boolean },
): EndedImport => ({
  clientId: order.client_id,
  itemId: report.item_id,
  format: formatOf(order),
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
