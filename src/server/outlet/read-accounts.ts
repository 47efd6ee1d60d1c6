import { listShownAccounts, type ShownAccountRow } from '../items/account-store.ts'
import { hasProduct } from '../items/item.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { findBalanceDays } from '../sources/balance-days.ts'
import { isReady } from '../transactions/reading.ts'
import { simplefinPath } from './access.ts'
import {
  type AccountSet,
  hasCurrencyOf,
  noonOf,
  type ToldError,
  toAccount,
  toConnection,
} from './account-set.ts'
import { type Asked, daysOf } from './asked.ts'
import { listItemsWith, listToldItems, listToldRows, type ToldRow } from './store.ts'

/** The answer asks for more rows than one answer has. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

const mostItems = 200
const mostRows = 50_000
const tooManyItems = `only the first ${mostItems} Items are told: name others by \`account\``
/** Each page is a short statement, so that it does not hold up others. */
const pageSize = 5000

/** The accounts of an Item, or of all Items of the client; undefined for an Item that is gone. */
export async function readAccounts(
  ctx: Context,
  itemId: string | null,
  asked: Asked,
): Promise<AccountSet | undefined> {
  const ids = itemId === null ? await listItems(ctx, asked) : [itemId]
  const told: AccountSet = { errors: [], errlist: [], connections: [], accounts: [] }
  if (ids.length > mostItems) told.errlist.push({ code: 'gen.api', msg: tooManyItems })
  let room = mostRows
  for (const id of ids.slice(0, mostItems)) {
    const item = await findItem(ctx, id)
    if (!item || item.removed_at !== null) {
      if (itemId !== null) return undefined
      continue
    }
    room -= await addItem(ctx, item, asked, told, room)
  }
  const known = new Set(told.accounts.map(({ id }) => id))
  for (const id of asked.accounts.filter((one) => !known.has(one))) {
    told.errlist.push({ code: 'act.failed', msg: 'there is no such account', account_id: id })
  }
  told.errors = told.errlist.map(({ msg }) => msg)
  return told
}

/** One more than an answer has, if there are more. */
const listItems = (ctx: Context, { accounts }: Asked): Promise<string[]> =>
  accounts.length > 0 ? listItemsWith(ctx, accounts) : listToldItems(ctx, mostItems + 1)

/** Adds what an Item has. Returns how many rows that are. */
async function addItem(
  ctx: Context,
  item: ItemRow,
  asked: Asked,
  told: AccountSet,
  room: number,
): Promise<number> {
  const connection = toConnection(item, `${ctx.publicUrl}${simplefinPath}`)
  told.connections.push(connection)
  const error = errorOf(item, connection.name)
  if (error) told.errlist.push(error)
  if (item.health_error === 'USER_PERMISSION_REVOKED') return 0
  const accounts = (await listShownAccounts(ctx, item.item_id)).filter(isAsked(asked))
  if (accounts.length === 0) return 0
  const hasRows = !asked.balancesOnly && hasProduct(item, 'transactions')
  const isTold = hasRows && isReady(item.transactions_status)
  const rows = isTold ? await readRows(ctx, item.item_id, asked, room) : []
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  const days = await findBalanceDays(ctx, item.item_id)
  for (const account of accounts) {
    const { account_id } = account
    const all = byAccount.get(account_id) ?? []
    const own = all.filter((row) => hasCurrencyOf(account, row))
    if (own.length < all.length) {
      const msg = `${all.length - own.length} transactions in other currencies are left out`
      told.errlist.push({ code: 'act.missingdata', msg, conn_id: item.item_id, account_id })
    }
    const more = { now: ctx.now, day: days.get(account_id), rows: isTold ? own : undefined }
    told.accounts.push(toAccount(account, connection, more))
  }
  return rows.length
}

const isAsked =
  ({ accounts }: Asked) =>
  ({ account_id }: ShownAccountRow): boolean =>
    accounts.length === 0 || accounts.includes(account_id)

async function readRows(
  ctx: Context,
  itemId: string,
  asked: Asked,
  room: number,
): Promise<ToldRow[]> {
  const { start, end, hasPending, accounts } = asked
  const range = { ...daysOf(asked), accountIds: accounts.length > 0 ? accounts : null }
  const found: ToldRow[] = []
  for (let offset = 0, isMore = true; isMore; offset += pageSize) {
    const page = await listToldRows(ctx, itemId, range, { count: pageSize, offset })
    isMore = page.length === pageSize
    for (const row of page) {
      const at = noonOf(row.date)
      const isIn = row.pending === 1 ? hasPending : at >= start && at < end
      if (isIn) found.push(row)
    }
    if (found.length > room) throw new TooManyRows()
  }
  // The protocol has them in the order of their times.
  return found.reverse()
}

/** What the program should tell its user about an Item. */
function errorOf({ item_id, health_error }: ItemRow, name: string): ToldError | undefined {
  if (health_error === null) return undefined
  const needsUser = userErrors.includes(health_error)
  const msg = needsUser
    ? `${name}: the connection must be authorized again.`
    : `${name}: the institution cannot be read now.`
  return { code: needsUser ? 'con.auth' : 'con.failed', msg, conn_id: item_id }
}

const userErrors: readonly string[] = [
  'ITEM_LOGIN_REQUIRED',
  'USER_PERMISSION_REVOKED',
  'USER_SETUP_REQUIRED',
]
