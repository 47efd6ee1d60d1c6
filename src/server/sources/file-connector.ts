import { randomUUID } from 'node:crypto'
import type { FileSettings } from '../../../generated/institution-list/types.ts'
import { unknownAccount, unknownCurrency } from '../../statements/csv/transactions.ts'
import { type AccountRow, listNumbered } from '../items/account-store.ts'
import type { Context } from '../kernel/context.ts'
import { kindOf, toKind } from './account-kind.ts'
import { maskOf } from './account-numbers.ts'
import {
  type Ask,
  type Authorized,
  type Connector,
  type FoundAccount,
  type Input,
  RejectedAnswer,
} from './connector.ts'
import { watchHead, whatItIs } from './file-heads.ts'
import { linkFile, undoLink } from './link-file.ts'
import type { ReadAccount } from './read-summary.ts'
import { findAccountOf } from './source-account.ts'
import { stageFile, statementsOf } from './stage-file.ts'
import { deleteStaged } from './staged-row-store.ts'

/** What a read file leaves for the link: where it is staged, and what is known of its accounts. */
export interface StagedFile {
  importId: string
  format: string
  /** The numbers of accounts that the file does not name, by their id. */
  numbers: Readonly<Record<string, string>>
}

/** A page with more would be of use to nobody. */
const mostAccounts = 100

/** Files that people download from their banks. */
export const fileConnector: Connector = {
  id: 'file',
  first: () => ({
    kind: 'file',
    accept: ['.ofx', '.qfx', '.xml', '.sta', '.mt940', '.940', '.csv', '.txt', 'text/csv'],
  }),
  async authorize(ask, _previous, input) {
    const importId = randomUUID()
    try {
      return await readFile(ask, importId, input)
    } catch (error) {
      // What cannot be deleted now goes by its age.
      await remove(ask, importId).catch(() => {})
      throw error
    }
  },
  link: linkFile,
  undo: undoLink,
  async discard(ctx, secret) {
    const { importId } = secret as StagedFile
    for (const import_id of [importId, statementsOf(importId)]) {
      await deleteStaged(ctx.db, { client_id: ctx.client.client_id, import_id })
    }
  },
}

async function remove({ service, clientId }: Ask, importId: string): Promise<void> {
  for (const import_id of [importId, statementsOf(importId)]) {
    const staged = { client_id: clientId, import_id }
    await service.database.transaction((db) => deleteStaged(db, staged), { isolation: 'row' })
  }
}

async function readFile(ask: Ask, importId: string, { file }: Input): Promise<Authorized> {
  if (!file) throw new RejectedAnswer('fileEmpty')
  const { formats } = ask.institution.settings as FileSettings
  const watched = watchHead(file.bytes)
  const staging = { service: ask.service, client_id: ask.clientId, import_id: importId, formats }
  const read = await stageFile(staging, watched.bytes())
  if (read.kind === 'columns') throw new RejectedAnswer('fileColumns')
  if (read.kind === 'format') throw new RejectedAnswer('fileFormat')
  if (read.kind === 'other') throw new RejectedAnswer(whatItIs(watched.head()))
  if (read.accounts.length === 0) throw new RejectedAnswer('fileWithoutAccounts')
  if (read.accounts.length > mostAccounts) throw new RejectedAnswer('fileTooManyAccounts')
  const { accounts, numbers } = await ask.read((ctx) => toFound(ctx, ask.itemId, read.accounts))
  const secret: StagedFile = { importId, format: read.format, numbers }
  return { kind: 'done', secret, accounts, notes: read.notes, moreNotes: read.moreNotes }
}

async function toFound(ctx: Context, itemId: string | null, read: readonly ReadAccount[]) {
  const numbers: Record<string, string> = {}
  const others = itemId === null ? [] : await listNumbered(ctx, itemId)
  const accounts: FoundAccount[] = []
  for (const [place, { account, currencies, rows, from, to, hasBalance }] of read.entries()) {
    const id = String(place)
    const [only, ...more] = others
    const isUnnamed = account.id === unknownAccount
    const lacksCurrency = [account.currency, ...currencies].includes(unknownCurrency)
    const found: FoundAccount = {
      id,
      name: null,
      mask: isUnnamed ? null : maskOf(account),
      currency: account.currency,
      kind: kindOf(account) ?? null,
      lacksBalance: !hasBalance,
      lacksNumber: isUnnamed,
      lacksCurrency,
      told: { rows, from, to },
    }
    // A file without a number is of the only account of its Item.
    const isOnly = isUnnamed && only !== undefined && more.length === 0
    if (isOnly) numbers[id] = only.number
    const named = isOnly ? { ...account, id: only.number } : account
    const currency = lacksCurrency && isOnly ? (only.iso_currency_code ?? '') : account.currency
    const known =
      itemId === null || (isUnnamed && !isOnly)
        ? undefined
        : await findAccountOf(ctx, itemId, { ...named, currency })
    accounts.push(known ? { ...found, ...toShown(known), currency, isKnown: true } : found)
  }
  return { accounts, numbers }
}

/** What the Item has of an account, in place of what the file lacks. */
const toShown = ({ name, mask, type, subtype }: AccountRow) => ({
  name,
  mask,
  kind: toKind({ type, subtype }) ?? null,
})
