import { selectAccounts } from '../items/account.ts'
import { listShownAccounts } from '../items/account-store.ts'
import { requireItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { BodyOf, HandlerOf, ResponseOf } from '../kernel/operation.ts'
import { foreignCursor, type Position, readCursor, type Stream, toCursor } from './cursor.ts'
import { defaultDays, initializeTransactions } from './initialize.ts'
import { checkTransactions, isReady } from './reading.ts'
import { findHead, listActiveAccountIds, listChanges, markSyncUsed } from './store.ts'
import { selectSupported, toTransactionsAccount } from './supported-accounts.ts'
import {
  isStoredForm,
  netEffect,
  toForm,
  toRemovedTransaction,
  toTransactions,
} from './transaction.ts'

const defaultCount = 100

export const transactionsSync: HandlerOf<'transactionsSync'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  checkTransactions(item, 'transactionsSync')
  const accountId = body.account_id ?? body.options?.account_id
  const accounts = selectAccounts(
    await listShownAccounts(ctx, item.item_id),
    accountId === undefined ? undefined : [accountId],
    () => (body.account_id === undefined ? 'options.account_id' : 'account_id'),
  )
  const stream = { item_id: item.item_id, account_id: accountId ?? null }
  const position = await findPosition(ctx, stream, body.cursor ?? '')
  if (item.uses_sync === 0) await markSyncUsed(ctx, item.item_id)
  if (item.transactions_status === null) {
    await initializeTransactions(ctx, item, body.options?.days_requested ?? defaultDays)
  }
  if (!isReady(item.transactions_status)) return notReady()

  const active = await listActiveAccountIds(ctx, item.item_id)
  const supported = await selectSupported(ctx, item, accounts)
  return {
    transactions_update_status: item.transactions_status,
    accounts: supported.filter((row) => active.has(row.account_id)).map(toTransactionsAccount),
    ...(await readPage(ctx, stream, position, body)),
  }
}
transactionsSync.reads = true

/** The response before the first pull. Its cursor starts at the beginning. */
const notReady = (): ResponseOf<'transactionsSync'> => ({
  transactions_update_status: 'NOT_READY',
  accounts: [],
  added: [],
  modified: [],
  removed: [],
  next_cursor: '',
  has_more: false,
})

async function findPosition(ctx: Context, stream: Stream, cursor: string): Promise<Position> {
  if (cursor === '') return { base: 0, page: null }
  if (cursor === 'now') return { base: await findHead(ctx, stream), page: null }
  return readCursor(ctx.keys, stream, cursor)
}

type Page = Omit<ResponseOf<'transactionsSync'>, 'transactions_update_status' | 'accounts'>

async function readPage(
  ctx: Context,
  stream: Stream,
  { base, page }: Position,
  { count = defaultCount, options }: BodyOf<'transactionsSync'>,
): Promise<Page> {
  const head = await findHead(ctx, stream)
  if (page && page.high !== head) {
    throw new ApiError('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
  }
  // A cursor with a position after the last change dates from before a reset.
  if (base > head) throw foreignCursor()
  const after = page?.after ?? base
  const form = toForm(ctx.publicUrl, options)
  const changes = await listChanges(ctx, stream, {
    base,
    after,
    limit: count + 1,
    isStoredForm: isStoredForm(form),
  })
  const rows = changes.slice(0, count)
  const last = rows.at(-1)?.last_sequence ?? after
  const hasMore = changes.length > count
  const next = hasMore ? { base, page: { after: last, high: head } } : { base: head, page: null }
  const withEffect = (effect: ReturnType<typeof netEffect>) =>
    rows.filter((row) => netEffect(row, base) === effect)
  return {
    added: toTransactions(withEffect('added'), form),
    modified: toTransactions(withEffect('modified'), form),
    removed: withEffect('removed').map(toRemovedTransaction),
    next_cursor: toCursor(ctx.keys, stream, next),
    has_more: hasMore,
  }
}
