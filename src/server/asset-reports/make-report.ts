import type {
  AccountKind,
  AssetReportAccount,
  AssetReportItem,
  AssetReportTransaction,
  AssetReportWarning,
  ErrorCause,
  Owner,
  Product,
  Transaction,
} from '#contract/closed.ts'
import type { ErrorKey } from '../../../generated/errors.ts'
import { toBalances } from '../items/account.ts'
import { type AccountRow, listAccounts } from '../items/account-store.ts'
import { healthError } from '../items/item.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, toCause } from '../kernel/errors.ts'
import { addDays, countDays, toDate } from '../kernel/time.ts'
import type { StoredReport } from './asset-report.ts'
import { type Days, toHistoricalBalances } from './historical-balances.ts'
import { toInvestments } from './investments.ts'
import type { ReportRequest } from './report-request.ts'
import {
  findOldestDates,
  findToldDays,
  type HistoryRow,
  listHistory,
  type ToldDays,
} from './store.ts'

/** The result for one Item. */
interface Found {
  item: AssetReportItem
  warnings: AssetReportWarning[]
  /** The day that each account's history ends on, where a source tells it. */
  lastDays: Map<string, string>
}

/** Makes the full report. Throws DATA_UNAVAILABLE if too many Items fail. */
export const makeFullReport = (ctx: Context, request: ReportRequest): Promise<StoredReport> =>
  makeReport(ctx, request, async (item) => {
    const cause = causeOf(item, ['assets'])
    if (cause) return cause
    return findAll(ctx, item, request)
  })

/** Makes the report of owners and balances. Fails if any Item fails. */
export const makeFastReport = (ctx: Context, request: ReportRequest): Promise<StoredReport> =>
  makeReport(ctx, request, async (item) => {
    const cause = causeOf(item, ['assets', 'identity', 'balance'])
    if (cause) return cause
    const accounts = await listAccounts(ctx, item.item_id)
    const shown = accounts.map((account) => ({ ...toAccount(account), ...noHistory }))
    const lastDays = lastOf(await findToldDays(ctx, item.item_id, toDate(ctx.now)))
    return { item: toReportItem(ctx, item, shown, lastDays), warnings: [], lastDays }
  })

const lastOf = (told: ReadonlyMap<string, ToldDays>): Found['lastDays'] =>
  new Map([...told].map(([id, { last }]) => [id, last]))

const noHistory = { days_available: 0, transactions: [], historical_balances: [] }

type ReadItem = (item: ItemRow) => Promise<Found | ErrorCause>

async function makeReport(
  ctx: Context,
  request: ReportRequest,
  readItem: ReadItem,
): Promise<StoredReport> {
  const found: Found[] = []
  const causes: ErrorCause[] = []
  for (const itemId of request.item_ids) {
    const item = await findItem(ctx, itemId)
    const gone = !item || item.removed_at !== null
    const result = gone ? toCause('ITEM_NOT_FOUND', itemId) : await readItem(item)
    if ('item' in result) found.push(result)
    else causes.push(result)
  }
  const failed = request.require_all_items ? causes.length > 0 : found.length === 0
  if (failed) throw new ApiError('DATA_UNAVAILABLE', { causes })
  return {
    date_generated: ctx.now,
    items: found.map(({ item }) => item),
    warnings: found.flatMap(({ warnings }) => warnings),
    last_days: Object.fromEntries(found.flatMap(({ lastDays }) => [...lastDays])),
  }
}

/** Why an Item cannot provide some products now. */
function causeOf(item: ItemRow, products: readonly Product[]): ErrorCause | undefined {
  const key = products.map((product) => healthError(item, product)).find(Boolean)
  return key && toCause(key, item.item_id)
}

async function findAll(ctx: Context, item: ItemRow, request: ReportRequest): Promise<Found> {
  const today = toDate(ctx.now)
  const from = addDays(today, 1 - request.days_requested)
  const accounts = await listAccounts(ctx, item.item_id)
  const unavailable = {
    OWNERS_UNAVAILABLE: healthError(item, 'identity'),
    TRANSACTIONS_UNAVAILABLE: healthError(item, 'transactions'),
    INVESTMENTS_UNAVAILABLE: request.investments ? healthError(item, 'investments') : undefined,
  }
  const history = unavailable.TRANSACTIONS_UNAVAILABLE
    ? []
    : await listHistory(ctx, item.item_id, from, today)
  const oldest = unavailable.TRANSACTIONS_UNAVAILABLE
    ? new Map<string, string>()
    : await findOldestDates(ctx, item.item_id, today)
  const told = await findToldDays(ctx, item.item_id, today)
  const lastDays = lastOf(told)
  const shown = accounts.map((account) => {
    const id = account.account_id
    const rows = history.filter(({ account_id }) => account_id === id)
    return {
      ...toAccount(account),
      ...(unavailable.OWNERS_UNAVAILABLE ? { owners: [] } : {}),
      ...toHistory(account, rows, {
        days: toDays(oldest.get(id), from, lastDays.get(id) ?? today),
        since: told.get(id)?.since ?? '',
      }),
      ...(request.investments &&
      account.type === 'investment' &&
      !unavailable.INVESTMENTS_UNAVAILABLE
        ? { investments: toInvestments(account, today) }
        : {}),
    }
  })
  const warnings = Object.entries(unavailable).flatMap(([code, key]) =>
    key ? [toWarning(code as AssetReportWarning['warning_code'], key, item.item_id)] : [],
  )
  return { item: toReportItem(ctx, item, shown, lastDays), warnings, lastDays }
}

const toWarning = (
  warning_code: AssetReportWarning['warning_code'],
  key: ErrorKey,
  itemId: string,
): AssetReportWarning => ({
  warning_type: 'ASSET_REPORT_WARNING',
  warning_code,
  cause: toCause(key, itemId),
})

const toReportItem = (
  ctx: Context,
  item: ItemRow,
  accounts: AssetReportAccount[],
  lastDays: Found['lastDays'],
): AssetReportItem => ({
  item_id: item.item_id,
  institution_id: item.institution_id ?? '',
  institution_name: item.institution_name ?? '',
  // What a source told is as old as its last import.
  date_last_updated: (lastDays.size > 0 && item.transactions_updated_at) || ctx.now,
  accounts,
})

/** The verification statuses that reports support. Accounts with another status show none. */
const reportStatuses: readonly string[] = [
  'automatically_verified',
  'pending_automatic_verification',
  'pending_manual_verification',
  'manually_verified',
  'verification_expired',
  'verification_failed',
  'database_matched',
]

function toAccount(row: AccountRow): AssetReportAccount {
  const { available, current, limit, iso_currency_code, unofficial_currency_code } = toBalances(row)
  const owners = JSON.parse(row.owners) as Owner[]
  const status = row.verification_status
  const shared = { available, current, limit, iso_currency_code, unofficial_currency_code }
  return {
    account_id: row.account_id,
    balances: { ...shared, margin_loan_amount: null } as AssetReportAccount['balances'],
    mask: row.mask,
    name: row.name,
    official_name: row.official_name,
    ...({ type: row.type, subtype: row.subtype } as AccountKind),
    ...(status !== null && reportStatuses.includes(status)
      ? { verification_status: status as AssetReportAccount['verification_status'] & string }
      : {}),
    ...(row.persistent_account_id === null
      ? {}
      : { persistent_account_id: row.persistent_account_id }),
    owners,
    ownership_type: ownershipOf(owners),
    ...noHistory,
  }
}

/** In what form owners hold an account. Of owners that nobody has told it is not known. */
function ownershipOf(owners: readonly Owner[]): 'individual' | 'joint' | null {
  if (owners.length === 0) return null
  return owners.flatMap(({ names }) => names).length > 1 ? 'joint' : 'individual'
}

/** Which of the days from one on an account's history covers. */
function toDays(oldest: string | undefined, from: string, last: string): Days {
  if (oldest === undefined) return { last, count: 0 }
  const first = oldest > from ? oldest : from
  return { last, count: Math.max(0, countDays(first, last) + 1) }
}

/** `since` is the day from which on the source told of every day. */
function toHistory(
  account: AccountRow,
  rows: readonly HistoryRow[],
  { days, since }: { days: Days; since: string },
) {
  const transactions = rows.map(toReportTransaction)
  const posted = transactions.filter(({ pending }) => !pending)
  return {
    days_available: days.count,
    transactions,
    historical_balances: toHistoricalBalances(account, posted, days).filter(
      ({ date }) => date >= since,
    ),
  }
}

function toReportTransaction(row: HistoryRow): AssetReportTransaction {
  const document = JSON.parse(row.document) as Transaction
  const category = document.personal_finance_category
  return {
    account_id: row.account_id,
    amount: document.amount,
    iso_currency_code: document.iso_currency_code,
    unofficial_currency_code: document.unofficial_currency_code,
    original_description: row.original_description,
    category: document.category ?? null,
    category_id: document.category_id ?? null,
    credit_category: category ? { primary: category.primary, detailed: category.detailed } : null,
    check_number: document.check_number ?? null,
    date: document.date,
    date_transacted: document.authorized_date,
    location: document.location,
    name: document.name,
    merchant_name: document.merchant_name ?? null,
    payment_meta: document.payment_meta,
    pending: document.pending,
    pending_transaction_id: document.pending_transaction_id,
    account_owner: document.account_owner,
    transaction_id: document.transaction_id,
  }
}
