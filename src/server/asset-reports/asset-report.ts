import type {
  AssetReport,
  AssetReportAccount,
  AssetReportTransaction,
  AssetReportWarning,
} from '#contract/types.ts'
import { addDays, toDate } from '../kernel/time.ts'
import type { ReportRequest } from './report-request.ts'

/** A report as it is kept: all that any way of reading it shows, but for who asked. */
export interface StoredReport {
  date_generated: string
  items: AssetReport['items']
  warnings: AssetReportWarning[]
}

/** How a report is to be read. */
export interface Reading {
  insights: boolean
  /** How many of the report's days to show; all when null. */
  days: number | null
}

/** Who and what a report is about, beside what was found. */
export interface ReportHead {
  asset_report_id: string
  request: ReportRequest
  ssn: string | null
}

export function toAssetReport(
  head: ReportHead,
  stored: StoredReport,
  reading: Reading,
): AssetReport {
  const { request, ssn } = head
  const { client_user_id, first_name, middle_name, last_name, phone_number, email } = request.user
  return {
    asset_report_id: head.asset_report_id,
    client_report_id: request.client_report_id,
    date_generated: stored.date_generated,
    days_requested: request.days_requested,
    user: { client_user_id, first_name, middle_name, last_name, ssn, phone_number, email } as never,
    items: stored.items.map((item) => ({
      ...item,
      accounts: item.accounts.map((account) => readAccount(account, stored, reading)),
    })),
  }
}

function readAccount(
  account: AssetReportAccount,
  stored: StoredReport,
  { days, insights }: Reading,
): AssetReportAccount {
  const from = days === null ? '' : addDays(toDate(stored.date_generated), -days)
  const shown = account.transactions.filter(({ date }) => date > from)
  return {
    ...account,
    days_available: days === null ? account.days_available : Math.min(account.days_available, days),
    transactions: insights ? shown : shown.map(withoutInsights),
    historical_balances: account.historical_balances.filter(({ date }) => date > from),
  }
}

/** A transaction without what only insights show. */
const withoutInsights = (transaction: AssetReportTransaction): AssetReportTransaction => {
  const {
    category,
    category_id,
    credit_category,
    location,
    name,
    payment_meta,
    merchant_name,
    ...rest
  } = transaction
  return rest
}

/** A copy without some accounts, and without the Items of which none is left. */
export function filterReport(report: StoredReport, excluded: readonly string[]): StoredReport {
  const items = report.items
    .map((item) => ({
      ...item,
      accounts: item.accounts.filter(({ account_id }) => !excluded.includes(account_id)),
    }))
    .filter(({ accounts }) => accounts.length > 0)
  return { ...report, items }
}

/** Every account of a report. */
export const accountIdsOf = (report: StoredReport): string[] =>
  report.items.flatMap(({ accounts }) => accounts.map(({ account_id }) => account_id))
