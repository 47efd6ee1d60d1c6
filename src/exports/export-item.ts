import type { ExportCommand, ExportDone } from '../server/operator/export-command.ts'
import { csvWriter } from './csv.ts'
import { type ExportedAccount, type ExportWriter, isForeign } from './exported.ts'
import { inMessageSets, ofxWriter } from './ofx.ts'

interface Format {
  create(done: ExportDone): ExportWriter
  hasPending: boolean
  /** Whether a transaction has a place for its own currency. */
  hasForeign: boolean
  has(account: ExportedAccount): boolean
  order?(accounts: readonly ExportedAccount[]): ExportedAccount[]
}

/** The formats of exports by name. */
export const exportFormats = {
  ofx: {
    create: ({ bank_id, now }) => ofxWriter({ bankId: bank_id, now }),
    hasPending: false,
    hasForeign: false,
    // Investments have another message set, which names each security.
    has: ({ type, iso_currency_code }) => type !== 'investment' && iso_currency_code !== null,
    order: inMessageSets,
  },
  csv: { create: csvWriter, hasPending: true, hasForeign: true, has: () => true },
} as const satisfies Readonly<Record<string, Format>>

export type ExportFormat = keyof typeof exportFormats

/** The Item has no account with the id that was given. */
export class UnknownAccount extends Error {}

/** What a file lacks of what was to be exported. */
export interface LeftOut {
  accounts: number
  pending: number
  /** Transactions in another currency than their account. */
  foreign: number
}

export interface ExportOrder {
  item: string
  /** All accounts, if undefined. */
  account?: string | undefined
  format: ExportFormat
}

/** Each page is a short statement, so that it does not hold up a service. */
const pageSize = 5000

/** The text of a file, piece by piece. Returns what the format has no place for. */
export async function* exportItem(
  { item, account: only, format: name }: ExportOrder,
  ask: (command: ExportCommand) => Promise<ExportDone>,
): AsyncGenerator<string, LeftOut> {
  const format: Format = exportFormats[name]
  const done = await ask({ export: 'accounts', item })
  const chosen = done.accounts.filter(({ account_id }) => account_id === (only ?? account_id))
  if (only !== undefined && chosen.length === 0) throw new UnknownAccount()
  const possible = chosen.filter(format.has)
  const accounts = format.order?.(possible) ?? possible
  const writer = format.create(done)
  let pending = 0
  let foreign = 0
  yield writer.begin()
  for (const account of accounts) {
    const { account_id } = account
    yield writer.beginAccount(account)
    for (let after = 0, isMore = true; isMore; ) {
      const page = await ask({ export: 'transactions', item, account_id, after, count: pageSize })
      const kept = page.transactions.filter((one) => format.hasPending || !one.pending)
      pending += page.transactions.length - kept.length
      const told = kept.filter((one) => format.hasForeign || !isForeign(one, account))
      foreign += kept.length - told.length
      yield told.map((one) => writer.transaction(one, account)).join('')
      isMore = page.transactions.length === pageSize
      after = page.last
    }
    yield writer.endAccount(account)
  }
  yield writer.end()
  return { accounts: chosen.length - accounts.length, pending, foreign }
}
