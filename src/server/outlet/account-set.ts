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
  payee?: string
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

/** An account; without transactions if these cannot be told. */
export function toAccount(
  account: ShownAccountRow,
  { conn_id, name, org_id, sfin_url }: Connection,
  { now, rows }: { now: string; rows: readonly ToldRow[] | undefined },
): SimplefinAccount {
  const { type, current, available, last_updated_datetime } = account
  const isOwed = type === 'credit' || type === 'loan'
  return {
    org: { id: org_id, name, 'sfin-url': sfin_url },
    conn_id,
    conn_name: name,
    id: account.account_id,
    name: nameOf(account),
    currency: account.iso_currency_code ?? account.unofficial_currency_code ?? 'XXX',
    balance: toDecimal(isOwed ? -current || 0 : current),
    ...(available === null ? {} : { 'available-balance': toDecimal(available) }),
    'balance-date': Math.floor(Date.parse(last_updated_datetime ?? now) / 1000),
    ...(rows ? { transactions: rows.map(toTransaction) } : {}),
  }
}

/** By the last digits people know an account. */
const nameOf = ({ name, mask }: ShownAccountRow): string =>
  mask === null || name.includes(mask) ? name : `${name} (${mask})`

function toTransaction(row: ToldRow): SimplefinTransaction {
  const { amount, name, merchant_name, authorized_date }: Transaction = JSON.parse(row.document)
  const isPending = row.pending === 1
  const happened = authorized_date ?? (isPending ? row.date : undefined)
  const description = row.original_description ?? name
  const payee = merchant_name ?? name
  return {
    id: row.transaction_id,
    posted: isPending ? 0 : noonOf(row.date),
    amount: toDecimal(-toMinor(amount) || 0),
    description,
    ...(payee === description ? {} : { payee }),
    ...(happened === undefined ? {} : { transacted_at: noonOf(happened) }),
    ...(isPending ? { pending: true } : {}),
  }
}
