import type { Transaction } from '#contract/closed.ts'
import type { ShownAccountRow } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import { toDecimal, toMinor } from '../kernel/money.ts'
import type { ToldRow } from './store.ts'

/** What an account set says of an error. Versions of the protocol before 2 have texts alone. */
export interface ToldError {
  code: string
  msg: string
  conn_id?: string
  account_id?: string
}

/** The bank of an Item. */
interface Connection {
  conn_id: string
  name: string
  org_id: string
  sfin_url: string
}

interface SimplefinTransaction {
  id: string
  posted: number
  amount: string
  description: string
  payee: string
  memo?: string
  transacted_at?: number
  pending?: true
}

interface SimplefinAccount {
  org: { id: string; name: string; 'sfin-url': string }
  conn_id: string
  conn_name: string
  id: string
  name: string
  currency: string
  balance: string
  'available-balance'?: string
  'balance-date': number
  transactions?: SimplefinTransaction[]
}

/** The body of an answer, as the protocol has it. */
export interface AccountSet {
  errors: string[]
  errlist: ToldError[]
  connections: Connection[]
  accounts: SimplefinAccount[]
}

/** An account set that tells errors alone. */
export const withErrors = (errlist: ToldError[]): AccountSet => ({
  errors: errlist.map(({ msg }) => msg),
  errlist,
  connections: [],
  accounts: [],
})

export const toConnection = (
  { item_id, institution_id, institution_name }: ItemRow,
  address: string,
): Connection => ({
  conn_id: item_id,
  name: institution_name ?? 'Accounts',
  org_id: institution_id ?? item_id,
  sfin_url: address,
})

/** The middle of a day: in all time zones but a few it is the same day. */
export const noonOf = (day: string): number => Date.parse(`${day}T12:00:00Z`) / 1000

/** What an answer says about an account that its own row does not. */
interface ToldOfAccount {
  now: string
  /** The day of its balance, where a source has told it. */
  day: string | undefined
  /** Undefined if its transactions cannot be told. */
  rows: readonly ToldRow[] | undefined
}

/** An account; without transactions if these cannot be told. */
export function toAccount(
  account: ShownAccountRow,
  { conn_id, name, org_id, sfin_url }: Connection,
  { now, day, rows }: ToldOfAccount,
): SimplefinAccount {
  const { type, current, available, last_updated_datetime } = account
  const isOwed = type === 'credit' || type === 'loan'
  const updated = Math.floor(Date.parse(last_updated_datetime ?? now) / 1000)
  return {
    org: { id: org_id, name, 'sfin-url': sfin_url },
    conn_id,
    conn_name: name,
    id: account.account_id,
    name: nameOf(account),
    currency: account.iso_currency_code ?? account.unofficial_currency_code ?? 'XXX',
    balance: toDecimal(isOwed ? -current || 0 : current),
    ...(available === null ? {} : { 'available-balance': toDecimal(available) }),
    'balance-date': day === undefined ? updated : Math.min(noonOf(day), updated),
    ...(rows ? { transactions: rows.map(toTransaction) } : {}),
  }
}

/** Whether a transaction has the currency of its account, which the protocol has no other place for. */
export function hasCurrencyOf(
  { iso_currency_code, unofficial_currency_code }: ShownAccountRow,
  { document }: ToldRow,
): boolean {
  const shown: Transaction = JSON.parse(document)
  return (
    (shown.iso_currency_code ?? shown.unofficial_currency_code) ===
    (iso_currency_code ?? unofficial_currency_code)
  )
}

/** By the last digits people know an account. */
const nameOf = ({ name, mask }: ShownAccountRow): string =>
  mask === null || name.includes(mask) ? name : `${name} (${mask})`

function toTransaction(row: ToldRow): SimplefinTransaction {
  const { amount, name, merchant_name, authorized_date }: Transaction = JSON.parse(row.document)
  const isPending = row.pending === 1
  const happened = authorized_date ?? (isPending ? row.date : undefined)
  return {
    id: row.transaction_id,
    posted: isPending ? 0 : noonOf(row.date),
    amount: toDecimal(-toMinor(amount) || 0),
    description: row.original_description ?? name,
    // Always: programs that keep a budget reject a row without one.
    payee: merchant_name ?? name,
    ...(happened === undefined ? {} : { transacted_at: noonOf(happened) }),
    ...(isPending ? { pending: true } : {}),
  }
}
