import type {
  AssetReport,
  AssetReportAccount,
  AssetReportTransaction,
  AssetReportWarning,
} from '#contract/closed.ts'
import { addDays, countDays, toDate } from '../kernel/time.ts'
import type { ReportRequest } from './report-request.ts'

/**
 * The results of a report as they are stored, for all ways of reading it. They exclude the request.
 */
export interface StoredReport {
  date_generated: string
  items: AssetReport['items']
  warnings: AssetReportWarning[]
  /** The day that an account's history ends on, where that is before the report. */
  last_days?: Record<string, string>
}

/** The options for reading a report. */
export interface Reading {
  insights: boolean
  /** How many of the report's days to show. Null means all. */
  days: number | null
}

/** The stored fields of a report besides its results. */
interface ReportHead {
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
    user: {
      client_user_id,
      first_name,
      middle_name,
      last_name,
      ssn,
      phone_number,
      email,
    } as AssetReport['user'],
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
  const today = toDate(stored.date_generated)
  const from = days === null ? '' : addDays(today, -days)
  const shown = account.transactions.filter(({ date }) => date > from)
  const last = stored.last_days?.[account.account_id] ?? today
  const most = days === null ? account.days_available : Math.max(0, countDays(from, last))
  return {
    ...account,
    days_available: Math.min(account.days_available, most),
    transactions: insights ? shown : shown.map(withoutInsights),
    historical_balances: account.historical_balances.filter(({ date }) => date > from),
  }
}

/** A transaction without the fields that only insights include. */
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

/** A copy without the excluded accounts, and without Items that have no account left. */
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
