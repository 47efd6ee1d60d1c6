import type { StatementIssue } from '../../statements/statement.ts'
import type { CommittedStatement } from '../sources/commit-statement.ts'
import { noRows, type RowCounts } from '../sources/source-file.ts'
import type { SourceItem } from '../sources/source-item.ts'

/** What an import did with an account. */
export interface ImportedAccount extends RowCounts {
  account_id: string
  name: string
  type: string
  is_new: boolean
  /** The account that a new one may be: the number of one stands in the IBAN of the other. */
  alike?: string
}

/** What an import did. */
export interface ImportReport {
  /** Null where nothing was imported, and for the new Item of a dry run. */
  item_id: string | null
  /** To be exchanged for an access token; of a new Item only. */
  public_token?: string
  accounts: ImportedAccount[]
  /** The statements that were left out, and why. */
  skipped: { account: string | null; reason: string }[]
  issues: StatementIssue[]
}

/** What a transaction of an import did. */
export interface Commit {
  target: SourceItem
  committed: CommittedStatement[]
  rejected: ImportReport['skipped']
  publicToken?: string | undefined
}

/** Counts a transaction in the report of its import. */
export function addTo(
  report: ImportReport,
  { target, committed, rejected, publicToken }: Commit,
  dryRun: boolean,
): void {
  report.skipped.push(...rejected)
  if (committed.length === 0) return
  const isUndone = dryRun && target.access_token !== undefined
  if (!isUndone) report.item_id = target.item.item_id
  if (publicToken !== undefined) report.public_token = publicToken
  for (const { account_id, name, type, isNew, alike, counts } of committed) {
    const known = report.accounts.find((account) => account.account_id === account_id)
    const told = {
      account_id,
      name,
      type,
      is_new: isNew,
      ...(alike === undefined ? {} : { alike }),
    }
    const account = known ?? { ...told, ...noRows() }
    if (!known) report.accounts.push(account)
    for (const key of Object.keys(counts) as (keyof RowCounts)[]) account[key] += counts[key]
  }
}
