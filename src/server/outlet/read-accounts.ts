import { listShownAccounts, type ShownAccountRow } from '../items/account-store.ts'
import { hasProduct } from '../items/item.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { isReady } from '../transactions/reading.ts'
import { simplefinPath } from './access.ts'
import { type AccountSet, noonOf, type ToldError, toAccount, toConnection } from './account-set.ts'
import { type Asked, daysOf } from './asked.ts'
import { listToldItems, listToldRows, type ToldRow } from './store.ts'

/** The answer asks for more rows than one answer has. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

const mostItems = 200
const mostRows = 50_000
/** Each page is a short statement, so that it does not hold up others. */
const pageSize = 5000

/** The accounts of an Item, or of all Items of the client; undefined for an Item that is gone. */
export async function readAccounts(
  ctx: Context,
  itemId: string | null,
  asked: Asked,
): Promise<AccountSet | undefined> {
  const ids = itemId === null ? await listToldItems(ctx, mostItems) : [itemId]
  const told: AccountSet = { errors: [], errlist: [], connections: [], accounts: [] }
  let room = mostRows
  for (const id of ids) {
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
  for (const account of accounts) {
    const own = isTold ? (byAccount.get(account.account_id) ?? []) : undefined
    told.accounts.push(toAccount(account, connection, { now: ctx.now, rows: own }))
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
  const { start, end, hasPending } = asked
  const found: ToldRow[] = []
  for (let offset = 0, isMore = true; isMore; offset += pageSize) {
    const page = await listToldRows(ctx, itemId, { ...daysOf(asked), count: pageSize, offset })
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
