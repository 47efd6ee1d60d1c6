import { createHash } from 'node:crypto'
import type { Client } from '../../../client/client.ts'
import { paginate } from '../../../client/paginate.ts'
import { ServiceError } from '../../../client/service-error.ts'
import { syncTransactions } from '../../../client/sync-transactions.ts'
import type { ReadContext } from '../../../connector/connector.ts'
import type { Message } from '../protocol.ts'
import { SourceFailed } from '../source-failed.ts'
import { type Account, asSource, createApi, type Secret, type Transaction } from './api.ts'
import { tell } from './tell.ts'

/** What the next read goes on from. */
export interface State {
  cursor: string
  /** The authorization that the cursor is of. */
  of: string
  /** A digest of the address that the other service has for webhooks, if a read has put it there. */
  notify?: string
}

/** What the other service has told. */
export interface Told {
  accounts: readonly Account[]
  rows: ReadonlyMap<string, Transaction>
  /** The account of each transaction that is gone. */
  removed: ReadonlyMap<string, string>
  /** Whether the rows of the days are complete, and of one moment. */
  isWhole: boolean
  state: State | undefined
}

/** A digest that says which one it was, and is no secret. */
export const digestOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 16)

/** Reads what has changed since the cursor, and all transactions of the days. */
export async function* read(ctx: ReadContext, state: unknown): AsyncGenerator<Message> {
  const secret = ctx.secret as Secret
  const told = await asSource(() => readAll(ctx, createApi(ctx), state as State | undefined))
  yield* tell(told, { ...ctx, epoch: digestOf(secret.item_id) })
}

const noRows = { rows: new Map(), removed: new Map(), isWhole: false, state: undefined }

/** How often the days are read again where the data change meanwhile. */
const mostReads = 3

async function readAll(ctx: ReadContext, api: Client, state: State | undefined): Promise<Told> {
  const { access_token, since } = ctx.secret as Secret
  const readAccounts = async () => (await api.accountsGet({ access_token }).orThrow()).accounts
  if (ctx.balancesOnly) return { ...noRows, accounts: await readAccounts() }
  const notify = await putWebhook(ctx.secret as Secret, api, state)
  if (ctx.isAsked) await refresh(api, access_token)
  const of = digestOf(access_token, since)
  const rows = new Map<string, Transaction>()
  const removed = new Map<string, string>()
  let cursor = state?.of === of ? state.cursor : ''
  const sync = async () => {
    const update = await readChanges(api, access_token, cursor)
    cursor = update.cursor
    put([...update.added, ...update.modified])
    for (const { transaction_id, account_id } of update.removed) {
      rows.delete(transaction_id)
      removed.set(transaction_id, account_id)
    }
    return update
  }
  const put = (transactions: readonly Transaction[]) => {
    for (const transaction of transactions) {
      rows.set(transaction.transaction_id, transaction)
      removed.delete(transaction.transaction_id)
    }
  }
  await sync()
  for (let reads = 1; ; reads += 1) {
    const accounts = await readAccounts()
    const days = await readDays(ctx, api)
    const { added, modified, removed: gone, transactions_update_status: status } = await sync()
    const isSame = added.length + modified.length + gone.length === 0
    if (!isSame && reads < mostReads) continue
    // What has come since is in the changes already, and newer than what the days had.
    if (isSame) put(days)
    const isWhole = isSame && status === 'HISTORICAL_UPDATE_COMPLETE'
    return { accounts, rows, removed, isWhole, state: { cursor, of, ...notify } }
  }
}

const pageSize = 500

async function readChanges(api: Client, access_token: string, cursor: string) {
  const options = { include_original_description: true }
  const body = { access_token, count: pageSize, options, ...(cursor === '' ? {} : { cursor }) }
  const update = await syncTransactions(api, body).catch((error: unknown) => {
    const isCursor =
      error instanceof ServiceError && error.fields?.some(({ field }) => field === 'cursor')
    if (!isCursor) throw error
    // To begin again silently could hide what the other service has lost.
    throw new SourceFailed('login', 'the source no longer knows where the last read ended')
  })
  if (update.transactions_update_status === 'NOT_READY') {
    throw new SourceFailed('outage', 'the source has not read the transactions yet')
  }
  return update
}

async function readDays({ window, secret }: ReadContext, api: Client): Promise<Transaction[]> {
  const { access_token } = secret as Secret
  const days = paginate(api, 'transactionsGet', {
    access_token,
    start_date: window.from,
    end_date: window.to,
    options: { count: pageSize, include_original_description: true },
  })
  const rows: Transaction[] = []
  for await (const row of days) rows.push(row)
  return rows
}

/** Passes on that somebody wants newer data. Where that is not possible now, those that are there do. */
async function refresh(api: Client, access_token: string): Promise<void> {
  const { error } = await api.transactionsRefresh({ access_token })
  const isNoMatter = ['TRANSACTIONS_REFRESH_LIMIT', 'INVALID_PRODUCT', 'PRODUCTS_NOT_SUPPORTED']
  if (error && !isNoMatter.includes(error.error_code)) throw error
}

/** Says where webhooks go, once after each time that the user has authorized again. */
async function putWebhook(
  { access_token, notify }: Secret,
  api: Client,
  state: State | undefined,
): Promise<Pick<State, 'notify'>> {
  if (notify === undefined) return {}
  const digest = digestOf(notify)
  if (state?.notify !== digest) {
    await api.itemWebhookUpdate({ access_token, webhook: notify }).orThrow()
  }
  return { notify: digest }
}
