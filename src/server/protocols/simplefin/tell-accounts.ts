import { createHash } from 'node:crypto'
import type {
  SourceAccount,
  SourceBalance,
  SourceTransaction,
} from '../../../statements/statement.ts'
import { InvalidValue, plainText, toAmount } from '../../../statements/values.ts'
import type { Message, Reading } from '../protocol.ts'
import {
  type AccountSet,
  type Fields,
  listOf,
  type ToldError,
  textOf,
  toFields,
} from './account-set.ts'
import { toDay, toTime } from './days.ts'

type Told = Pick<Reading, 'window' | 'state' | 'balancesOnly'> & { zone: string; now: number }

/** On which day a pending row without a time was told first, by a hash of its account and id. */
interface State {
  seen: Readonly<Record<string, string>>
}

/** What a response says of its accounts. */
export function* tellAccounts(set: AccountSet, told: Told): Generator<Message> {
  for (const error of set.errors) {
    const kind = error.isLogin ? 'login' : 'notice'
    yield { type: 'issue', issue: { kind, message: error.message } }
  }
  const accounts = set.accounts.map((fields) => ({ fields, org: organizationOf(fields, set) }))
  const keys = new Map<string, Set<string>>()
  for (const { fields, org } of accounts) {
    const id = textOf(fields, 'id') ?? ''
    keys.set(id, (keys.get(id) ?? new Set()).add(org.key))
  }
  const seen: Record<string, string> = isLatest(told) ? {} : { ...seenBefore(told) }
  for (const { fields, org } of accounts) {
    const id = textOf(fields, 'id')
    const currency = textOf(fields, 'currency')
    if (id === undefined || currency === undefined) {
      yield issueOf('account', 'an account has no id or no currency')
      continue
    }
    const sharesId = (keys.get(id)?.size ?? 0) > 1
    const ref = JSON.stringify([org.key, id])
    yield { type: 'account', ref, account: toAccount(fields, { id, currency, org, sharesId }) }
    yield* tellBalances(fields, ref, currency, told)
    yield* tellRows(fields, { ref, currency, told, seen })
    const isWhole = Array.isArray(fields['transactions']) && !told.balancesOnly
    if (isWhole && !isConcerned(fields, id, set.errors)) {
      yield { type: 'covered', ref, ...told.window, pending: true }
    }
  }
  if (!told.balancesOnly) yield { type: 'state', state: { seen } satisfies State }
}

/** A read of older days does not return every pending transaction. */
const isLatest = ({ window, now, zone }: Told): boolean => window.to >= toDay(now, zone)

const seenBefore = ({ state }: Told): State['seen'] => (state as State | undefined)?.seen ?? {}

const issueOf = (kind: 'account' | 'row', message: string): Message => ({
  type: 'issue',
  issue: { kind, message: plainText(message).slice(0, 200) },
})

interface Organization {
  /** What it is called, in versions 1 and 2. */
  name: string | undefined
  /** What tells two with accounts of the same id apart. */
  key: string
}

function organizationOf(fields: Fields, { connections }: AccountSet): Organization {
  const org = toFields(fields['org'])
  const connection = textOf(fields, 'conn_id')
  const name =
    textOf(org, 'name') ??
    (connection === undefined ? undefined : connections.get(connection)) ??
    textOf(fields, 'conn_name') ??
    textOf(org, 'domain')
  const key =
    textOf(org, 'domain') ?? textOf(org, 'id') ?? connection ?? textOf(org, 'sfin-url') ?? ''
  return { name: name && plainText(name), key }
}

/**
 * An error that names nothing is about all of them: their rows may be fewer than there are. Some
 * servers warn of the request with each response, so that is no reason to doubt rows that are there.
 */
function isConcerned(fields: Fields, id: string, errors: readonly ToldError[]): boolean {
  const own = textOf(fields, 'conn_id')
  const hasRows = listOf(fields['transactions']).length > 0
  return errors.some(({ account, connection, isAboutRequest }) => {
    if (account !== undefined) return account === id
    if (connection !== undefined) return connection === own
    return !(isAboutRequest && hasRows)
  })
}

interface Identity {
  id: string
  currency: string
  org: Organization
  sharesId: boolean
}

function toAccount(fields: Fields, { id, currency, org, sharesId }: Identity): SourceAccount {
  const name = plainText(textOf(fields, 'name') ?? '')
  // Names end with the last digits of a number, as in `Checking (1234)`.
  const [, mask] = /(?:^|\D)(\d{4})\)?$/.exec(name) ?? []
  return {
    id,
    currency,
    bank_id: org.key,
    opaque: sharesId ? 'shared' : 'own',
    ...(name === '' ? {} : { name }),
    ...(org.name === undefined ? {} : { organization: org.name }),
    ...(mask === undefined ? {} : { mask }),
  }
}

function* tellBalances(
  fields: Fields,
  ref: string,
  currency: string,
  { zone, now }: Told,
): Generator<Message> {
  const date = toDay(toTime(fields['balance-date']) ?? now, zone)
  for (const [type, name] of balanceNames) {
    const text = textOf(fields, name)
    if (text === undefined) continue
    const amount = readAmount(text)
    if (typeof amount !== 'string') yield issueOf('account', `\`${name}\`: ${amount.message}`)
    else yield { type: 'balance', ref, balance: { type, amount, currency, date } }
  }
}

const balanceNames: readonly (readonly [SourceBalance['type'], string])[] = [
  ['closing', 'balance'],
  ['available', 'available-balance'],
]

function readAmount(text: string): string | InvalidValue {
  try {
    return toAmount(text)
  } catch (error) {
    if (error instanceof InvalidValue) return error
    throw error
  }
}

interface Rows {
  ref: string
  currency: string
  told: Told
  /** Filled with what the next read needs. */
  seen: Record<string, string>
}

function* tellRows(fields: Fields, rows: Rows): Generator<Message> {
  const transactions = listOf(fields['transactions'])
  const posted = new Set(
    transactions.filter((row) => !isPending(row)).map((row) => textOf(row, 'id')),
  )
  for (const row of transactions) {
    const id = textOf(row, 'id')
    // Where a row is told as pending and as posted, it is posted.
    if (isPending(row) && posted.has(id)) continue
    const transaction = toTransaction(row, id, rows)
    if (typeof transaction === 'string') yield issueOf('row', transaction)
    else yield { type: 'transaction', ref: rows.ref, transaction }
  }
}

/** A posted row has a time, so one without it is pending, unless the server says that it is not. */
const isPending = (row: Fields): boolean =>
  row['pending'] === true || (row['pending'] === undefined && Number(row['posted'] ?? 0) === 0)

function toTransaction(
  row: Fields,
  id: string | undefined,
  { ref, currency, told, seen }: Rows,
): SourceTransaction | string {
  if (id === undefined) return 'a row has no id'
  const amount = readAmount(textOf(row, 'amount') ?? '')
  if (typeof amount !== 'string') return `a row: ${amount.message}`
  const status = isPending(row) ? 'pending' : 'posted'
  const [happened, booked] = [row['transacted_at'], row['posted']].map((at) => {
    const time = toTime(at)
    return time === undefined ? undefined : toDay(time, told.zone)
  })
  const date =
    status === 'posted'
      ? (booked ?? happened)
      : (happened ?? booked ?? firstSeen(ref, id, told, seen))
  if (date === undefined) return 'a posted row has no time'
  const payee = plainText(textOf(row, 'payee') ?? '')
  return {
    id,
    status,
    amount,
    currency,
    date,
    description: plainText(textOf(row, 'description') ?? textOf(row, 'memo') ?? payee),
    ...(payee === '' ? {} : { counterparty: payee }),
    ...(status === 'posted' && happened !== undefined && happened <= date
      ? { references: { transaction_date: happened } }
      : {}),
  }
}

/** A pending row may have no time at all. It keeps the day on which it was told first. */
function firstSeen(ref: string, id: string, told: Told, seen: Record<string, string>): string {
  const key = createHash('sha256').update(`${ref}\n${id}`).digest('base64url').slice(0, 16)
  const day = seenBefore(told)[key] ?? toDay(told.now, told.zone)
  seen[key] = day
  return day
}
