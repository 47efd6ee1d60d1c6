import type { Transaction } from '#contract/closed.ts'
import type { ExportedAccount, ExportedTransaction } from '../../exports/exported.ts'
import { type AccountRow, listAccounts } from '../items/account-store.ts'
import type { Context } from '../kernel/context.ts'
import { toMinor } from '../kernel/money.ts'
import type { Service } from '../kernel/service.ts'
import { toDate } from '../kernel/time.ts'
import { findBalanceDays } from '../sources/balance-days.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { findDays, listAccountTransactions, type StoredTransaction } from './export-store.ts'
import { findListedItem } from './item-store.ts'
import { OperatorError } from './operator-error.ts'

/** Reads the data of an Item for a file: its accounts, then the transactions of each by pages. */
export type ExportCommand =
  | { export: 'accounts'; item: string }
  | { export: 'transactions'; item: string; account_id: string; after: number; count: number }

/** What is read for a file. */
export interface ExportDone {
  /** Names the institution. */
  bank_id: string
  /** The time of the Item's client. */
  now: string
  accounts: ExportedAccount[]
  transactions: ExportedTransaction[]
  /** The change number of the last one; 0 without any. */
  last: number
}

/** Carries out a command about exports. The audit log has an entry for each export. */
export async function runExportCommand(
  service: Service,
  command: ExportCommand,
  actor: string,
): Promise<ExportDone> {
  const { item: id } = command
  const item = await service.database.read((db) => findListedItem(db, id))
  if (!item) throw new OperatorError(`there is no Item ${id}: \`item list\` shows all`)
  if (item.removed_at !== null) throw new OperatorError(`the Item ${id} was removed`)
  const { client_id, institution_id } = item
  return asClient(service, client_id, async (ctx) => {
    const nothing = { bank_id: institution_id ?? 'none', now: ctx.now, accounts: [], last: 0 }
    if (command.export === 'transactions') {
      const rows = await listAccountTransactions(ctx, command)
      const last = Number(rows.at(-1)?.last_sequence ?? 0)
      return { ...nothing, transactions: rows.map(toExported), last }
    }
    await audit(service, ctx.db, { actor, action: 'item.export', client_id, subject: id })
    return { ...nothing, accounts: await readAccounts(ctx, id), transactions: [] }
  })
}

async function readAccounts(ctx: Context, itemId: string): Promise<ExportedAccount[]> {
  const { first, last } = await findDays(ctx, itemId)
  const accounts = await listAccounts(ctx, itemId)
  const days = await findBalanceDays(ctx, itemId)
  return accounts.map((account) => {
    const { account_id, last_updated_datetime } = account
    const balance_date = days.get(account_id) ?? toDate(last_updated_datetime ?? ctx.now)
    return { ...toAccount(account), balance_date, from: first, to: last }
  })
}

const toAccount = (account: AccountRow) => ({
  account_id: account.account_id,
  name: account.name,
  type: account.type,
  subtype: account.subtype,
  iso_currency_code: account.iso_currency_code,
  unofficial_currency_code: account.unofficial_currency_code,
  current: account.current,
  available: account.available,
})

function toExported(row: StoredTransaction): ExportedTransaction {
  const shown = JSON.parse(row.document) as Transaction
  return {
    transaction_id: row.transaction_id,
    date: row.date,
    authorized_date: shown.authorized_date ?? null,
    pending: row.pending === 1,
    amount: -toMinor(shown.amount) || 0,
    iso_currency_code: shown.iso_currency_code,
    unofficial_currency_code: shown.unofficial_currency_code,
    name: shown.name,
    merchant_name: shown.merchant_name ?? null,
    original_description: row.original_description,
    category: shown.personal_finance_category?.primary ?? null,
    check_number: shown.check_number ?? null,
  }
}
