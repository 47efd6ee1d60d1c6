import type { AccountKind } from '#contract/closed.ts'
import { unknownAccount } from '../../statements/csv/transactions.ts'
import {
  type AccountRow,
  findAccountAt,
  listNumbered,
  updateAccount,
} from '../items/account-store.ts'
import { insertAccount } from '../items/insert-account.ts'
import { addGiven } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { fromDecimal, toAmount, toMinor } from '../kernel/money.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { canHaveTransactions } from '../transactions/supported-accounts.ts'
import { readDocument } from '../transactions/transaction.ts'
import { isOwed, kindOf, nameOf, toKind } from './account-kind.ts'
import { alikeNamesOf, bareNameOf, maskOf, mayBeOne, namesOf } from './account-numbers.ts'
import { toCurrency } from './currency.ts'
import { toOwners } from './owners.ts'
import { decideSigns, rejectDifference, storeSigns, toHolderView } from './signs.ts'
import { type AccountAnswers, RejectedStatement, type SourceStatement } from './source-file.ts'
import {
  findAccountKey,
  findSourceAccount,
  insertNumbers,
  listNear,
  nextAccountKey,
  type Origin,
  putBalanceDate,
} from './store.ts'
import { type Told, toTold } from './told.ts'

/** Owners as JSON. */
export interface ChangedOwners {
  before: string
  after: string
}

/** An account of an Item, and the day of the balance that it shows. */
export interface FoundAccount {
  account: AccountRow
  balanceOn: string | null
  /** What sources have told of it before. */
  told: Told
  isNew: boolean
  /** The account that a new one may be: its IBAN has the number, or the other way round. */
  alike?: string | undefined
  /** The owners before and after the statement, if it changed those that were known. */
  owners: ChangedOwners | undefined
  /** The statement from the view of the account's holder. */
  statement: SourceStatement
  /** Whether an operator has just said that the file has other signs. */
  hasOtherSigns: boolean
}

/** The account that a statement is of. If the Item has none, one is made. */
export async function findOrMakeAccount(
  ctx: Context,
  item: ItemRow,
  told: SourceStatement,
  answers: AccountAnswers,
): Promise<FoundAccount> {
  const { item_id } = item
  const key = await findKey(ctx, item_id, told.account)
  const found = key === undefined ? undefined : await findAccountAt(ctx, item_id, key)
  const { type } = found ?? requireKind(told, answers)
  const before = key === undefined ? undefined : await findSourceAccount(ctx, item_id, key)
  const decided = decideSigns(type, told.format, before, answers)
  const statement = toHolderView(told, decided.signs)
  // Before anything is written, since a rejected statement leaves nothing.
  if (!answers.partial) rejectDifference(type, statement)
  rejectTooLarge(found, statement)
  const alike = found ? undefined : await findAlike(ctx, item_id, statement.account)
  const account = found ?? (await makeAccount(ctx, item, statement, answers))
  const owners = await putOwners(ctx, item, account, statement)
  const at = { item_id, account_key: account.account_key }
  const bare = bareNameOf(statement.account) ?? []
  await insertNumbers(ctx, at, hashesOf(ctx, [...namesOf(statement.account), bare].flat()))
  // The balance that who imports it gives is the present one.
  if (!found && !hasClosing(statement)) {
    await putBalanceDate(ctx, { ...at, balance_on: toDate(ctx.now) })
  }
  await storeSigns(ctx, at, decided)
  const row = await findSourceAccount(ctx, at.item_id, at.account_key)
  const isNew = !found
  return {
    account,
    balanceOn: row?.balance_on ?? null,
    told: toTold(row),
    isNew,
    alike,
    statement,
    owners: isNew ? undefined : owners,
    hasOtherSigns: decided.isChange && !isNew,
  }
}

/** The account of an Item that a source names, if there is one. */
export async function findAccountOf(
  ctx: Context,
  itemId: string,
  account: SourceStatement['account'],
): Promise<AccountRow | undefined> {
  const key = await findKey(ctx, itemId, account)
  return key === undefined ? undefined : findAccountAt(ctx, itemId, key)
}

/** The name of an account that a new one may be, though neither file says so. */
async function findAlike(
  ctx: Context,
  itemId: string,
  { iban, id, currency, opaque }: SourceStatement['account'],
): Promise<string | undefined> {
  if (opaque !== undefined) return undefined
  const others = await listNumbered(ctx, itemId)
  return others.find(
    (other) =>
      (other.iso_currency_code ?? currency) === currency && mayBeOne(iban ?? id, other.number),
  )?.name
}

/** Shows the owners that a statement tells, and gives the Item the product that they are. */
async function putOwners(
  ctx: Context,
  item: ItemRow,
  account: AccountRow,
  { account: { owners: told = [] }, days }: SourceStatement,
): Promise<ChangedOwners | undefined> {
  if (told.length === 0) return undefined
  await addGiven(ctx, item, 'identity')
  const owners = JSON.stringify(toOwners(told))
  const { owners: before } = account
  if (owners === before) return undefined
  const { item_id, account_key } = account
  const dated = await findSourceAccount(ctx, item_id, account_key)
  // An older statement may tell where the owner lived before.
  if (before !== '[]' && days.to < (dated?.balance_on ?? '')) return undefined
  await updateAccount(ctx, account, { owners })
  return before === '[]' ? undefined : { before, after: owners }
}

const hashesOf = (ctx: Context, names: readonly string[]): string[] =>
  names.map((name) => ctx.keys.hash(`account\n${name}`))

/** The position of the account, by its names, or by those that it has where a file leaves out the bank. */
async function findKey(
  ctx: Context,
  itemId: string,
  account: SourceStatement['account'],
): Promise<number | undefined> {
  const sure = await findAccountKey(ctx, itemId, hashesOf(ctx, namesOf(account)))
  if (sure !== undefined) return sure
  const alike = hashesOf(ctx, alikeNamesOf(account))
  return alike.length === 0 ? undefined : findAccountKey(ctx, itemId, alike)
}

const hasClosing = ({ balances }: Pick<SourceStatement, 'balances'>): boolean =>
  balances.some(({ type }) => type === 'closing')

/** What kind of account a new one is. */
function requireKind({ account, balances }: SourceStatement, answers: AccountAnswers): AccountKind {
  if (account.id === unknownAccount) {
    throw new RejectedStatement('the file does not tell the account: name it with --account-id')
  }
  const mask = maskOf(account)
  const kind = kindOf(account) ?? toKind(answers.kind)
  const named = account.name ?? `the account that ends in ${mask}`
  if (!kind) {
    throw new RejectedStatement(
      `the file does not tell the type of ${named}: name it, such as --account depository/checking`,
    )
  }
  if (answers.balance === undefined && !hasClosing({ balances })) {
    throw new RejectedStatement(
      `the file tells no balance of ${named}: give the present one, such as --balance 120.50`,
    )
  }
  if (!canHaveTransactions(kind, false)) {
    throw new RejectedStatement(
      `${named} must be of a type that has transactions, such as depository/checking or credit/credit card`,
    )
  }
  return kind
}

/** Databases and JSON hold whole numbers up to this exactly. */
function rejectTooLarge(
  found: AccountRow | undefined,
  { balances, turnover }: SourceStatement,
): void {
  const told = balances.map(({ amount }) => Math.abs(fromDecimal(amount)))
  const most = Math.abs(found?.current ?? 0) + turnover + Math.max(0, ...told)
  if (most < Number.MAX_SAFE_INTEGER) return
  throw new RejectedStatement('its balance would be larger than can be kept')
}

async function makeAccount(
  ctx: Context,
  item: ItemRow,
  statement: SourceStatement,
  answers: AccountAnswers,
): Promise<AccountRow> {
  const { account } = statement
  const mask = maskOf(account)
  const kind = requireKind(statement, answers)
  const own = answers.balance ?? 0
  const key = await nextAccountKey(ctx, item.item_id)
  return insertAccount(ctx, item, key, {
    ...kind,
    name: account.name ?? nameOf(kind, mask),
    official_name: account.organization ?? null,
    mask,
    balances: {
      available: null,
      current: toAmount(isOwed(kind.type) ? 0 - own : own),
      limit: null,
      ...toCurrency(account.currency),
      last_updated_datetime: null,
    },
    owners: toOwners(account.owners),
    liability: null,
    ...(account.opaque === undefined ? { numbers: toNumbers(account) } : {}),
  })
}

const toNumbers = (account: SourceStatement['account']) => ({
  account_number: account.iban ?? account.id,
  routing_number: account.bank_id ?? null,
  wire_routing_number: null,
})

/** What a statement says of the balances, and what its rows have changed. */
interface BalanceChange {
  balances: SourceStatement['balances']
  /** Whether a row of it was new, changed or removed, or its signs have changed. */
  isChange: boolean
  isLive: boolean
  /** The last day of its posted rows. */
  lastDate: string
  /** What its new posted rows after the day of the balance that the account shows add up to. */
  addedAfter: number
}

/** Shows the latest balance that a source has told, whatever the order of its statements. */
export async function updateBalances(
  ctx: Context,
  { account, balanceOn, isNew }: FoundAccount,
  origin: Origin,
  change: BalanceChange,
): Promise<void> {
  const { item_id, account_key } = account
  const sign = isOwed(account.type) ? -1 : 1
  const latest = (type: string) =>
    change.balances.filter((one) => one.type === type).reduce(later, undefined)
  const closing = latest('closing')
  const available = latest('available')
  // A day to come is a mistake, and would keep the balance of every later statement away.
  const tomorrow = addDays(toDate(ctx.now), 1)
  const day = [closing?.date ?? '', tomorrow].sort()[0] ?? ''
  // A statement of the same day that tells nothing new may be an older one.
  const isLater = change.isChange || change.isLive
  const counts = balanceOn === null || day > balanceOn || (day === balanceOn && isLater)
  if (closing && counts) {
    const last = [day, change.lastDate].sort().at(-1) ?? day
    const after = change.isLive ? 0 : await sumAfter(ctx, origin, last)
    await updateAccount(ctx, account, {
      current: sign * (fromDecimal(closing.amount) + after),
      available: available ? fromDecimal(available.amount) : null,
    })
    return putBalanceDate(ctx, { item_id, account_key, balance_on: day })
  }
  // An account that was just made shows what it was given, which counts all rows of its file.
  if (closing || isNew) return
  await updateAccount(ctx, account, { current: account.current + sign * change.addedAfter })
}

/** What the posted transactions after a day add up to, in minor units from the customer's view. */
async function sumAfter(ctx: Context, origin: Origin, day: string): Promise<number> {
  const rows = await listNear(ctx, origin, { from: addDays(day, 1), to: '9999-12-31' })
  return rows
    .filter(({ pending }) => pending === 0)
    .reduce((sum, row) => sum - toMinor(readDocument(row).amount), 0)
}

type Balance = SourceStatement['balances'][number]

const later = (last: Balance | undefined, one: Balance): Balance =>
  last && last.date > one.date ? last : one
