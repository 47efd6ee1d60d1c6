import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'

/** A report is pending until its job has run. */
type ReportStatus = 'pending' | 'ready' | 'failed'

/** Which of the two reports of a token. */
export type ReportKind = 'FULL' | 'FAST'

export interface AssetReportRow {
  asset_report_id: string
  user_id: string | null
  webhook: string | null
  /** JSON of `ReportRequest`. */
  request: string
  /** Encrypted. */
  ssn: string | null
  insights_granted: number
  status: ReportStatus
  fast_status: ReportStatus | null
  /** JSON of `StoredReport`, and of `ReportFailure`. */
  report: string | null
  fast_report: string | null
  failure: string | null
  fast_failure: string | null
}

const columns = `asset_report_id, user_id, webhook, request, ssn, insights_granted, status,
  fast_status, report, fast_report, failure, fast_failure`

/** The report of a token, in any state. */
export async function requireReport(ctx: Context, token: string): Promise<AssetReportRow> {
  const row = await ctx.own.first<AssetReportRow>(
    `select ${columns} from asset_reports where client_id = $1 and token_hash = $2`,
    [ctx.keys.hash(token)],
  )
  if (!row) throw new ApiError('INVALID_ASSET_REPORT_TOKEN')
  return row
}

export const findReport = (ctx: Context, assetReportId: string) =>
  ctx.own.first<AssetReportRow>(
    `select ${columns} from asset_reports where client_id = $1 and asset_report_id = $2`,
    [assetReportId],
  )

/** The latest report about a user. With a token the user may belong to another client. */
export const findLatestReport = (ctx: Context, clientId: string, userId: string) =>
  ctx.db.first<AssetReportRow>(
    `select ${columns} from asset_reports where client_id = $1 and user_id = $2
      order by sequence desc limit 1`,
    [clientId, userId],
  )

type NewReport = Pick<
  AssetReportRow,
  'asset_report_id' | 'user_id' | 'webhook' | 'request' | 'ssn' | 'insights_granted' | 'fast_status'
> & { token: string }

/** Writes a pending report. */
export async function insertReport(ctx: Context, report: NewReport): Promise<void> {
  await ctx.own.run(
    `insert into asset_reports
       (client_id, asset_report_id, token_hash, sequence, user_id, webhook, request, ssn,
        insights_granted, status, fast_status, created_at)
     values ($1, $2, $3,
       (select coalesce(max(sequence), 0) + 1 from asset_reports
         where client_id = $1 and user_id = $4),
       $4, $5, $6, $7, $8, 'pending', $9, $10)`,
    [
      report.asset_report_id,
      ctx.keys.hash(report.token),
      report.user_id,
      report.webhook,
      report.request,
      report.ssn,
      report.insights_granted,
      report.fast_status,
      ctx.now,
    ],
  )
}

interface Outcome {
  report: string | null
  failure: string | null
}

/** Stores the final result of a report. */
export async function finishReport(
  ctx: Context,
  assetReportId: string,
  kind: ReportKind,
  { report, failure }: Outcome,
): Promise<void> {
  const prefix = kind === 'FAST' ? 'fast_' : ''
  await ctx.own.run(
    `update asset_reports set ${prefix}status = $3, ${prefix}report = $4, ${prefix}failure = $5
      where client_id = $1 and asset_report_id = $2`,
    [assetReportId, failure ? 'failed' : 'ready', report, failure],
  )
}

export interface HistoryRow {
  account_id: string
  document: string
  original_description: string | null
}

/** The institution's transactions of an Item, pulled or not, newest first. */
export const listHistory = (ctx: Context, itemId: string, from: string, to: string) =>
  ctx.own.all<HistoryRow>(
    `select account_id, document, original_description from transactions
      where client_id = $1 and item_id = $2 and removed = 0 and date between $3 and $4
      order by date desc, insertion desc`,
    [itemId, from, to],
  )

/** The date of each account's first transaction at the institution. */
export async function findOldestDates(
  ctx: Context,
  itemId: string,
  to: string,
): Promise<Map<string, string>> {
  const rows = await ctx.own.all<{ account_id: string; date: string }>(
    `select account_id, min(date) as date from transactions
      where client_id = $1 and item_id = $2 and removed = 0 and date <= $3 group by account_id`,
    [itemId, to],
  )
  return new Map(rows.map(({ account_id, date }) => [account_id, date]))
}

/** The last day that the source of an account told of, and since when it told of all days up to it. */
export interface ToldDays {
  since: string
  last: string
}

/**
 * The last day is that of a balance or of a posted transaction. Accounts without a source have none,
 * since what the service generates lasts until today.
 */
export async function findToldDays(
  ctx: Context,
  itemId: string,
  today: string,
): Promise<Map<string, ToldDays>> {
  const rows = await ctx.own.all<ToldRow>(
    `select account_id, told as days, coalesce(balance_on, '0001-01-01') as told,
        coalesce((select max(date) from transactions
          where transactions.client_id = $1 and transactions.item_id = $2
            and transactions.account_id = accounts.account_id
            and pending = 0 and removed = 0 and date <= $3), '0001-01-01') as booked
      from source_accounts join accounts on accounts.client_id = $1 and accounts.item_id = $2
        and accounts.account_key = source_accounts.account_key
      where source_accounts.client_id = $1 and source_accounts.item_id = $2`,
    [itemId, today],
  )
  const lastOf = (told: string, booked: string) => [told > booked ? told : booked, today].sort()[0]
  return new Map(
    rows.map((row) => {
      const last = lastOf(row.told, row.booked) ?? today
      return [row.account_id, { last, since: sinceOf(row.days, last) }]
    }),
  )
}

interface ToldRow {
  account_id: string
  /** JSON: the ranges of days that files tell of; null where it is not known. */
  days: string | null
  told: string
  booked: string
}

/** The balance of a day before a gap cannot be found from one after it. */
function sinceOf(days: string | null, last: string): string {
  if (days === null) return ''
  const ranges = JSON.parse(days) as { from: string; to: string }[]
  return ranges.find(({ from, to }) => from <= last && last <= to)?.from ?? last
}
