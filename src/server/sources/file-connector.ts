import { randomUUID } from 'node:crypto'
import type { FileSettings } from '../../../generated/institution-list/types.ts'
import { unknownAccount, unknownCurrency } from '../../statements/csv/transactions.ts'
import { type AccountRow, listNumbered } from '../items/account-store.ts'
import type { Context } from '../kernel/context.ts'
import { kindOf, toKind } from './account-kind.ts'
import { maskOf } from './account-numbers.ts'
import { toMapping } from './column-answers.ts'
import {
  type Ask,
  type Authorized,
  type Connector,
  type FoundAccount,
  type Input,
  type Question,
  RejectedAnswer,
  type Step,
} from './connector.ts'
import { keepFirst, watchHead, whatItIs } from './file-heads.ts'
import { linkFile, undoLink } from './link-file.ts'
import { StagedGone } from './read-staged.ts'
import type { ReadAccount } from './read-summary.ts'
import { findAccountOf } from './source-account.ts'
import { bytesOf, readBytes, stageBytes, stageFile, statementsOf } from './stage-file.ts'
import { deleteStaged } from './staged-row-store.ts'
import type { FromWorker } from './worker-messages.ts'

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
  async authorize(ask, previous, input) {
    const importId = randomUUID()
    try {
      if (previous.kind === 'columns') return await readAgain(ask, importId, previous, input)
      return await readFile(ask, importId, input)
    } catch (error) {
      // What cannot be deleted now goes by its age.
      await remove(ask, importId).catch(() => {})
      if (error instanceof StagedGone) throw new RejectedAnswer('fileGone')
      throw error
    }
  },
  link: linkFile,
  undo: undoLink,
  async discard(ctx, secret) {
    const { importId } = secret as Pick<StagedFile, 'importId'>
    for (const import_id of partsOf(importId)) {
      await deleteStaged(ctx.db, { client_id: ctx.client.client_id, import_id })
    }
  },
}

const partsOf = (importId: string) => [importId, statementsOf(importId), bytesOf(importId)]

async function remove({ service, clientId }: Ask, importId: string): Promise<void> {
  for (const import_id of partsOf(importId)) {
    const staged = { client_id: clientId, import_id }
    await service.database.transaction((db) => deleteStaged(db, staged), { isolation: 'row' })
  }
}

async function readFile(ask: Ask, importId: string, { file }: Input): Promise<Step> {
  if (!file) throw new RejectedAnswer('fileEmpty')
  const { formats } = ask.institution.settings as FileSettings
  const watched = watchHead(file.bytes)
  const kept = keepFirst(watched.bytes())
  const staging = { service: ask.service, client_id: ask.clientId, import_id: importId, formats }
  const read = await stageFile(staging, kept.bytes())
  if (read.kind === 'columns') {
    if (formats && !formats.includes('csv')) throw new RejectedAnswer('fileFormat')
    await stageBytes(staging, kept.again())
    return { kind: 'columns', table: read.table, secret: { importId } }
  }
  if (read.kind === 'format') throw new RejectedAnswer('fileFormat')
  if (read.kind === 'empty') throw new RejectedAnswer('fileWithoutAccounts')
  if (read.kind === 'other') throw new RejectedAnswer(whatItIs(watched.head()))
  return toAuthorized(ask, importId, read)
}

/** Reads a file again, with what the person has said of its columns. */
async function readAgain(
  ask: Ask,
  importId: string,
  { table, secret }: Extract<Question, { kind: 'columns' }>,
  { fields }: Input,
): Promise<Authorized> {
  const answered = toMapping(table, fields)
  if ('wrong' in answered) throw new RejectedAnswer('columnsUnread')
  const { mapping } = answered
  const { formats } = ask.institution.settings as FileSettings
  const staging = { service: ask.service, client_id: ask.clientId, formats, mapping }
  const { importId: import_id } = secret as Pick<StagedFile, 'importId'>
  const bytes = readBytes({ ...staging, import_id })
  const read = await stageFile({ ...staging, import_id: importId }, bytes)
  const hasRows = read.kind === 'read' && read.accounts.some(({ rows }) => rows > 0)
  if (!hasRows) throw new RejectedAnswer('columnsUnread')
  return toAuthorized(ask, importId, read)
}

async function toAuthorized(
  ask: Ask,
  importId: string,
  read: Extract<FromWorker, { kind: 'read' }>,
): Promise<Authorized> {
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
