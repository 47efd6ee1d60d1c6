import { unknownAccount, unknownCurrency } from '../../statements/csv/transactions.ts'
import type { SourceAccount } from '../../statements/statement.ts'
import { findInstitution } from '../institutions/store.ts'
import { listAccounts } from '../items/account-store.ts'
import { removeItem } from '../items/remove-item.ts'
import { type ItemRow, updateItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { announceImport } from './announce-import.ts'
import { type CommittedStatement, commitParts, type PausedStatement } from './commit-statement.ts'
import {
  type ChosenAccount,
  type LinkedItem,
  type LinkOrder,
  type LinkRest,
  RejectedAnswer,
} from './connector.ts'
import type { StagedFile } from './file-connector.ts'
import { acceptFormat } from './file-institution.ts'
import { findOwnCategories } from './own-categories.ts'
import { rowsOf, StagedGone } from './read-staged.ts'
import {
  type AccountAnswers,
  addCounts,
  noRows,
  RejectedStatement,
  type SourceStatement,
  type StagedRow,
} from './source-file.ts'
import { findImportedItem, makeItem, type SourceItem } from './source-item.ts'
import { statementsOf } from './stage-file.ts'
import { listStaged } from './staged-row-store.ts'
import { type ReadStatement, rowsOfPart } from './statement-reader.ts'

/** How far a file has been made the Item's. */
interface LinkState {
  item_id: string
  /** Of a new Item. */
  access_token?: string
  /** Real ms. */
  begun: number
  at: Position
  paused?: PausedStatement
  /** What became of each account so far. */
  committed: CommittedStatement[]
}

/** Where a statement stands among the staged ones. */
interface Position {
  place: number
  index: number
}

/** How many rows are committed together, and as how many a statement counts. */
const rowsAtOnce = 2048
const rowsOfStatement = 10

/**
 * Makes a staged file the Item's, with the accounts that the user chose. What has too many rows for
 * one transaction is left for the next call. Each call is a transaction of its own.
 */
export async function linkFile(
  ctx: Context,
  order: LinkOrder,
  rest?: LinkRest,
): Promise<LinkedItem | LinkRest> {
  const before = rest?.state as LinkState | undefined
  try {
    const target = await findTarget(ctx, order, before)
    const state = await linkPart(ctx, order, target, before)
    const { item, access_token } = target
    if ('at' in state) return { state, done: (rest?.done ?? 0) + state.rows, total: totalOf(order) }
    if (state.committed.length === 0) throw new RejectedAnswer('fileRejected')
    await updateItem(ctx, item.item_id, { transactions_updated_at: ctx.now })
    await announceImport(ctx, item, state.committed, access_token !== undefined)
    const accounts = await listAccounts(ctx, item.item_id)
    const rows = state.committed.map(({ counts }) => counts).reduce(addCounts, noRows())
    const told = {
      format: (order.secret as StagedFile).format,
      result: order.isPartial ? ('partial' as const) : ('whole' as const),
      rows: { ...rows },
      begun: before?.begun ?? ctx.realMs(),
    }
    return { item, accounts, told, ...(access_token === undefined ? {} : { access_token }) }
  } catch (error) {
    if (error instanceof StagedGone) throw new RejectedAnswer('fileGone')
    throw error
  }
}

const totalOf = ({ accounts }: LinkOrder): number =>
  accounts.reduce((sum, { told }) => sum + (told?.rows ?? 0), 0)

async function linkPart(
  ctx: Context,
  order: LinkOrder,
  { item, access_token }: SourceItem,
  before: LinkState | undefined,
): Promise<(LinkState & { rows: number }) | Pick<LinkState, 'committed'>> {
  const secret = order.secret as StagedFile
  const given = await findGiven(ctx, order, secret)
  const { item_id } = item
  let { committed = [], paused } = before ?? {}
  let rows = 0
  let weight = 0
  const stop = (at: Position): LinkState & { rows: number } => ({
    item_id,
    ...(access_token === undefined ? {} : { access_token }),
    begun: before?.begun ?? ctx.realMs(),
    at,
    ...(paused ? { paused } : {}),
    committed,
    rows,
  })
  for await (const { statement, ...at } of listStatements(ctx, secret, before?.at)) {
    const chosen = order.accounts.find(({ id }) => id === String(statement.at))
    if (!chosen) continue
    if (weight >= rowsAtOnce) return stop(at)
    const most = Math.ceil((rowsAtOnce - weight) / rowsOfPart)
    const first = paused?.part ?? 0
    const done = await commit(ctx, item, statement, { chosen, secret, given, most, paused })
    paused = done && 'paused' in done ? done.paused : undefined
    rows += Math.min(statement.count, (paused?.part ?? Infinity) * rowsOfPart) - first * rowsOfPart
    if (paused) return stop(at)
    if (done && 'counts' in done) committed = addTo(committed, done)
    weight += Math.max(0, statement.count - first * rowsOfPart) + rowsOfStatement
  }
  return { committed }
}

/** One entry for each account, so that a file of many statements needs no long list. */
function addTo(all: readonly CommittedStatement[], one: CommittedStatement): CommittedStatement[] {
  const known = all.find(({ account_id }) => account_id === one.account_id)
  if (!known) return [...all, one]
  const { changes, counts, owners } = known
  const both: CommittedStatement = {
    ...one,
    isNew: known.isNew,
    owners: one.owners ? { ...one.owners, before: (owners ?? one.owners).before } : owners,
    counts: addCounts(counts, one.counts),
    changes: {
      added: changes.added + one.changes.added,
      modified: changes.modified || one.changes.modified,
      removed: [...changes.removed, ...one.changes.removed],
    },
  }
  return all.map((each) => (each === known ? both : each))
}

async function findGiven(
  ctx: Context,
  { institution: { institution_id } }: LinkOrder,
  { format }: StagedFile,
): Promise<How['given']> {
  const institution = await findInstitution(ctx, institution_id)
  const { formats: _, ...usualSigns } = await acceptFormat(institution, format)
  return { usualSigns, find: await findOwnCategories(ctx.db) }
}

async function findTarget(
  ctx: Context,
  order: LinkOrder,
  before: LinkState | undefined,
): Promise<SourceItem> {
  const itemId = before?.item_id ?? order.itemId
  if (itemId === null) return makeItem(ctx, order)
  const found = await findImportedItem(ctx, itemId)
  if (!found) throw new ApiError('ITEM_NOT_FOUND')
  return before?.access_token === undefined
    ? found
    : { ...found, access_token: before.access_token }
}

type Staged = Omit<ReadStatement, 'currencies'> & { currencies: string[]; at: number }

/** The staged statements from one on. */
async function* listStatements(
  ctx: Context,
  { importId }: StagedFile,
  from: Position = { place: 0, index: 0 },
): AsyncGenerator<Position & { statement: Staged }> {
  const id = { client_id: ctx.client.client_id, import_id: statementsOf(importId) }
  for (let { place } = from; ; place += 1) {
    const [part] = await listStaged(ctx.db, id, { from: place, before: place + 1 })
    if (!part && place === from.place) throw new StagedGone('staged statements are gone')
    if (!part) return
    const statements = JSON.parse(ctx.keys.decrypt(part.rows)) as Staged[]
    for (const [index, statement] of statements.entries()) {
      if (place > from.place || index >= from.index) yield { place, index, statement }
    }
  }
}

/** Removes what a file has left that cannot be linked to its end: a new Item, of which nobody knows. */
export async function undoLink(ctx: Context, { state }: LinkRest): Promise<void> {
  const { item_id, access_token } = state as LinkState
  if (access_token !== undefined) await removeItem(ctx, item_id, { code: null, note: null })
}

interface How {
  chosen: ChosenAccount
  secret: StagedFile
  given: Pick<AccountAnswers, 'find' | 'usualSigns'>
  /** How many parts are committed, and those before them. */
  most: number
  paused: PausedStatement | undefined
}

/** Commits a statement, or some parts of it; undefined where it cannot become the Item's. */
async function commit(
  ctx: Context,
  item: ItemRow,
  staged: Staged,
  { chosen, secret, given, most, paused }: How,
): Promise<CommittedStatement | { paused: PausedStatement } | undefined> {
  const { importId, numbers } = secret
  const number = numbers[chosen.id] ?? chosen.number
  const complete = (code: string) => (code === unknownCurrency ? chosen.currency : code)
  const account: SourceAccount = {
    ...staged.account,
    id: staged.account.id === unknownAccount ? (number ?? unknownAccount) : staged.account.id,
    currency: complete(staged.account.currency),
  }
  const id = { client_id: ctx.client.client_id, import_id: importId }
  const read = rowsOf(ctx, id, staged)
  const toRow = (row: StagedRow): StagedRow => ({ ...row, currency: complete(row.currency) })
  const statement: SourceStatement = {
    ...staged,
    format: secret.format,
    account,
    currencies: new Set(staged.currencies.map(complete)),
    balances: staged.balances.map((one) => ({ ...one, currency: complete(one.currency) })),
    rows: async (part, parts) => (await read(part, parts)).map(toRow),
  }
  const { kind, balance } = chosen
  const { type, subtype } = kind
  const answers: AccountAnswers = {
    ...given,
    // The page has said what could not be read.
    partial: true,
    ...(subtype === null ? {} : { kind: { type, subtype } }),
    ...(balance === undefined ? {} : { balance }),
  }
  try {
    return await commitParts(ctx, item, statement, answers, { most, paused })
  } catch (error) {
    // Nothing of it has been written, unless a part was committed before.
    if (error instanceof RejectedStatement && !paused) return undefined
    throw error
  }
}
