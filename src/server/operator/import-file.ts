import { randomUUID } from 'node:crypto'
import { fileInstitutionId } from '../../institution-list/built-in.ts'
import type { StatementEvent, StatementIssue } from '../../statements/statement.ts'
import { findInstitution } from '../institutions/store.ts'
import { updateItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Service } from '../kernel/service.ts'
import { insertPublicToken } from '../link/store.ts'
import { maskOf } from '../sources/account-numbers.ts'
import { announceImport } from '../sources/announce-import.ts'
import { commitStatement } from '../sources/commit-statement.ts'
import { acceptFormat, RejectedInstitution } from '../sources/file-institution.ts'
import { type FindCategory, findOwnCategories } from '../sources/own-categories.ts'
import { rowsOf } from '../sources/read-staged.ts'
import type { Signs } from '../sources/signs.ts'
import { RejectedStatement } from '../sources/source-file.ts'
import { findImportedItem, findOrMakeItem, type SourceItem } from '../sources/source-item.ts'
import { deleteStaged, insertStaged } from '../sources/staged-row-store.ts'
import { createStatementReader, type ReadStatement } from '../sources/statement-reader.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { requireClient } from './client-command.ts'
import { addTo, type Commit, type ImportReport } from './import-report.ts'
import { maskFileName } from './mask-file-name.ts'
import { OperatorError } from './operator-error.ts'
import { formatOf, toEndedImport } from './tell-import.ts'
import { UnfinishedImport } from './unfinished-import.ts'

/** What to import, and for whom. */
export interface ImportOrder {
  client_id: string
  client_user_id: string
  institution_id: string
  /** In place of user and institution. */
  item_id?: string
  /** The format of the file, or the name of its mapping. */
  origin: string
  /** What the file is called; the audit log has it without numbers of accounts. */
  file: string
  kind?: { type: string; subtype: string }
  /** In minor units. */
  balance?: number
  /** The signs of debts and charges in the file. */
  signs?: Signs
  /** Whether statements are imported of which a part could not be read. */
  partial: boolean
  /** Whether everything is done but kept. */
  dryRun: boolean
}

/** How many rows are committed together, where statements are short, and as how many a statement counts. */
const rowsAtOnce = 2000
const rowsOfStatement = 10

/** Imports a file. What it holds is committed statement by statement, short ones several at once. */
export async function importFile(
  service: Service,
  order: ImportOrder,
  events: AsyncIterable<readonly StatementEvent[]>,
  actor: string,
): Promise<ImportReport> {
  await service.database.read((db) => requireEnabled(db, order.client_id))
  const find = await findOwnCategories(service.database.single)
  const work = createImport(service, order, { actor, find })
  const reader = createStatementReader(order.origin, work.stage)
  const begun = performance.now()
  const tell = (report: ImportReport, failed: boolean) => {
    if (order.dryRun) return
    const ms = performance.now() - begun
    service.telemetry.imported(toEndedImport(order, report, { ms, failed }))
  }
  try {
    for await (const batch of events) {
      for (const event of batch) await work.add(await reader.take(event))
    }
    await work.add(await reader.close())
    await work.flush()
    const report = work.report(reader.issues)
    tell(report, false)
    return report
  } catch (error) {
    const report = work.report(reader.issues)
    tell(report, true)
    throw report.accounts.length > 0 ? new UnfinishedImport(report, error) : error
  } finally {
    // What cannot be deleted now goes by its age.
    await work.clean().catch(() => {})
  }
}

async function requireEnabled(db: Queries, clientId: string): Promise<void> {
  const { disabled_at } = await requireClient(db, clientId)
  if (disabled_at === null) return
  throw new OperatorError(`the client ${clientId} is disabled: \`client enable\` lets it in`)
}

function createImport(
  service: Service,
  order: ImportOrder,
  { actor, find }: { actor: string; find: FindCategory },
) {
  const { database, clock } = service
  const { client_id } = order
  const id = { client_id, import_id: randomUUID() }
  const report: ImportReport = { item_id: null, accounts: [], skipped: [], issues: [] }
  let ready: ReadStatement[] = []
  let hasStaged = false

  const commit = async (ctx: Context, statements: readonly ReadStatement[]): Promise<Commit> => {
    // An operator may have disabled the client since the last commit.
    await requireEnabled(ctx.db, client_id)
    const { usualSigns, ...target } = await findTarget(ctx, order)
    const done: Commit = { target, committed: [], rejected: [] }
    const { item } = target
    const answers = { ...order, usualSigns, find }
    for (const statement of statements) {
      const whole = { ...statement, format: formatOf(order), rows: rowsOf(ctx, id, statement) }
      try {
        done.committed.push(await commitStatement(ctx, item, whole, answers))
      } catch (error) {
        if (!(error instanceof RejectedStatement)) throw error
        done.rejected.push({ account: maskOf(statement.account), reason: error.message })
      }
    }
    if (done.committed.length === 0) throw new Undone(done)
    const subject = item.item_id
    await updateItem(ctx, subject, { transactions_updated_at: ctx.now })
    const file = maskFileName(order.file)
    const details = { file, accounts: done.committed.map(({ counts }) => counts) }
    await audit(service, ctx.db, { actor, action: 'import', client_id, subject, details })
    await announceImport(ctx, item, done.committed, done.target.access_token !== undefined)
    if (order.dryRun) throw new Undone(done)
    done.publicToken = await toPublicToken(ctx, done.target)
    return done
  }

  return {
    async stage(firstPlace: number, parts: readonly string[]): Promise<void> {
      hasStaged = true
      const staged_at = clock()
      const staged = parts.map((rows, index) => ({
        ...id,
        place: firstPlace + index,
        rows,
        staged_at,
      }))
      await database.transaction((db) => insertStaged(db, staged), { isolation: 'row' })
    },
    async add(statements: readonly ReadStatement[]): Promise<void> {
      for (const statement of statements) {
        if (statement.lack === undefined || order.partial) ready.push(statement)
        else report.skipped.push({ account: maskOf(statement.account), reason: statement.lack })
      }
      // A dry run is one transaction: what is undone before its end, later rows would not meet.
      if (order.dryRun) return
      if (ready.reduce((sum, { count }) => sum + count + rowsOfStatement, 0) >= rowsAtOnce)
        await this.flush()
    },
    async flush(): Promise<void> {
      const statements = ready
      ready = []
      if (statements.length === 0) return
      const done = await asClient(service, client_id, (ctx) => commit(ctx, statements)).catch(
        (error: unknown) => {
          if (error instanceof Undone) return error.done
          throw toOperatorError(error, order)
        },
      )
      addTo(report, done, order.dryRun)
    },
    async clean(): Promise<void> {
      if (!hasStaged) return
      await database.transaction((db) => deleteStaged(db, id), { isolation: 'row' })
    },
    report: (issues: StatementIssue[]): ImportReport => ({ ...report, issues }),
  }
}

/** Ends a transaction whose work is told, but not kept. */
class Undone extends Error {
  readonly done: Commit
  constructor(done: Commit) {
    super('undone')
    this.done = done
  }
}

async function findTarget(ctx: Context, order: ImportOrder) {
  const target = await findItemOf(ctx, order)
  const { institution_id } = target.item
  const institution =
    institution_id === null ? undefined : await findInstitution(ctx, institution_id)
  const { formats: _, ...usualSigns } = await acceptFormat(institution, formatOf(order))
  return { ...target, usualSigns }
}

async function findItemOf(ctx: Context, order: ImportOrder): Promise<SourceItem> {
  if (order.item_id === undefined) return findOrMakeItem(ctx, order)
  const found = await findImportedItem(ctx, order.item_id)
  if (found) return found
  throw new OperatorError(`the client has no Item ${order.item_id} whose data is imported`)
}

async function toPublicToken(
  ctx: Context,
  { item, access_token }: SourceItem,
): Promise<string | undefined> {
  if (access_token === undefined) return undefined
  const public_token = ctx.newId('public_token')
  await insertPublicToken(ctx, { public_token, item_id: item.item_id, access_token })
  return public_token
}

/** What an operator can change, in their words. */
function toOperatorError(error: unknown, { institution_id, item_id }: ImportOrder): unknown {
  if (error instanceof RejectedInstitution) return new OperatorError(error.message)
  if (!(error instanceof ApiError)) return error
  if (error.key === 'INVALID_INSTITUTION') {
    return new OperatorError(
      `there is no institution ${institution_id}: the service lists those of its file (--institutions), and ${fileInstitutionId} for any bank`,
    )
  }
  if (error.key === 'ITEM_CONCURRENTLY_DELETED') {
    return new OperatorError(`the Item ${item_id ?? 'of the user'} was removed`)
  }
  return error
}
