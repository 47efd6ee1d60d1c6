import type {
  DashboardReport,
  DashboardReportAccount,
  DashboardReportFailure,
  DashboardReportSubject,
} from '../../../../generated/dashboard/closed.ts'
import { type ErrorKey, errorCatalogue } from '../../../../generated/errors.ts'
import type { StoredReport } from '../../asset-reports/asset-report.ts'
import type { ReportRequest } from '../../asset-reports/report-request.ts'
import type { ReportListRow } from './store.ts'

export function toDashboardReport(row: ReportListRow): DashboardReport {
  const { days_requested, item_ids, client_report_id } = JSON.parse(row.request) as ReportRequest
  return {
    asset_report_id: row.asset_report_id,
    status: row.status,
    fast_status: row.fast_status,
    days_requested,
    items: item_ids.length,
    client_report_id,
    user_id: row.user_id,
    created_at: row.created_at,
  }
}

export function toDashboardSubject(
  { user }: ReportRequest,
  seesPersonalData: boolean,
): DashboardReportSubject {
  const shown = <Shown>(value: Shown): Shown | null => (seesPersonalData ? value : null)
  const names = [user.first_name, user.middle_name, user.last_name].filter(Boolean)
  return {
    client_user_id: user.client_user_id ?? null,
    name: shown(names.join(' ') || null),
    email: shown(user.email ?? null),
    phone_number: shown(user.phone_number ?? null),
  }
}

/** Why a report failed, as reading it says. */
export function toDashboardFailure(failure: string): DashboardReportFailure {
  const { key = 'ASSET_REPORT_GENERATION_FAILED' } = JSON.parse(failure) as { key?: ErrorKey }
  const { code, meaning, action } = errorCatalogue[key]
  return { error_code: code, meaning, action }
}

export const toDashboardAccounts = (
  { items }: StoredReport,
  seesPersonalData: boolean,
): DashboardReportAccount[] =>
  items.flatMap(({ item_id, institution_name, accounts }) =>
    accounts.map(({ account_id, name, mask, balances, days_available, transactions }) => ({
      item_id,
      institution_name,
      account_id,
      name: seesPersonalData ? name : null,
      mask: seesPersonalData ? mask : null,
      currency: balances.iso_currency_code ?? balances.unofficial_currency_code,
      current: seesPersonalData ? balances.current : null,
      days_available,
      transactions: transactions.length,
    })),
  )
