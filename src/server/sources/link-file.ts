import { unknownAccount, unknownCurrency } from '../../statements/csv/transactions.ts'
import type { SourceAccount } from '../../statements/statement.ts'
import { findInstitution } from '../institutions/store.ts'
import { listAccounts } from '../items/account-store.ts'
import { updateItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { announceImport } from './announce-import.ts'
import { type CommittedStatement, commitStatement } from './commit-statement.ts'
import { type ChosenAccount, type LinkedItem, type LinkOrder, RejectedAnswer } from './connector.ts'
import type { StagedFile } from './file-connector.ts'
import { acceptFormat } from './file-institution.ts'
import { findOwnCategories } from './own-categories.ts'
import { rowsOf, StagedGone } from './read-staged.ts'
import {
  type AccountAnswers,
  RejectedStatement,
  type SourceStatement,
  type StagedRow,
} from './source-file.ts'
import { findImportedItem, makeItem, type SourceItem } from './source-item.ts'
import { statementsOf } from './stage-file.ts'
import { listStaged } from './staged-row-store.ts'
import type { ReadStatement } from './statement-reader.ts'

/** Makes a staged file the Item's, with the accounts that the user chose, in one transaction. */
export async function linkFile(ctx: Context, order: LinkOrder): Promise<LinkedItem> {
  const secret = order.secret as StagedFile
  const target = await findTarget(ctx, order)
  const { item, access_token } = target
  const committed: CommittedStatement[] = []
  const given = await findGiven(ctx, order, secret)
  try {
    for await (const statement of listStatements(ctx, secret)) {
      const chosen = order.accounts.find(({ id }) => id === String(statement.at))
      if (chosen)
        committed.push(...(await commit(ctx, target, statement, { chosen, secret, given })))
    }
  } catch (error) {
    if (error instanceof StagedGone) throw new RejectedAnswer('fileGone')
    throw error
  }
  if (committed.length === 0) throw new RejectedAnswer('fileRejected')
  await updateItem(ctx, item.item_id, { transactions_updated_at: ctx.now })
  await announceImport(ctx, item, committed, access_token !== undefined)
  const accounts = await listAccounts(ctx, item.item_id)
  return { item, accounts, ...(access_token === undefined ? {} : { access_token }) }
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

async function findTarget(ctx: Context, order: LinkOrder): Promise<SourceItem> {
  if (order.itemId === null) return makeItem(ctx, order)
  const found = await findImportedItem(ctx, order.itemId)
  if (!found) throw new ApiError('ITEM_NOT_FOUND')
  return found
}

type Staged = Omit<ReadStatement, 'currencies'> & { currencies: string[]; at: number }

async function* listStatements(ctx: Context, { importId }: StagedFile): AsyncGenerator<Staged> {
  const id = { client_id: ctx.client.client_id, import_id: statementsOf(importId) }
  for (let place = 0; ; place += 1) {
    const [part] = await listStaged(ctx.db, id, { from: place, before: place + 1 })
    if (!part && place === 0) throw new StagedGone('staged statements are gone')
    if (!part) return
    yield* JSON.parse(ctx.keys.decrypt(part.rows)) as Staged[]
  }
}

interface How {
  chosen: ChosenAccount
  secret: StagedFile
  given: Pick<AccountAnswers, 'find' | 'usualSigns'>
}

/** Commits a statement; nothing where it cannot become the Item's. */
async function commit(
  ctx: Context,
  { item }: SourceItem,
  staged: Staged,
  { chosen, secret, given }: How,
): Promise<CommittedStatement[]> {
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
    return [await commitStatement(ctx, item, statement, answers)]
  } catch (error) {
    if (error instanceof RejectedStatement) return []
    throw error
  }
}
