import type {
  PaymentChannel,
  PaymentMeta,
  TransactionCode,
  TransactionLocation,
} from '#contract/closed.ts'
import { type Day, toDate } from './calendar.ts'
import type { CategoryKey, ConfidenceLevel } from './categories.ts'
import type { Company } from './companies.ts'

/** The roles of accounts in a holder's finances, in the order of a generated Item. */
export const roles = ['checking', 'savings', 'card', 'student', 'mortgage', 'investment'] as const
export type Role = (typeof roles)[number]

/** The fields of a transaction besides dates and amount. */
export interface Detail {
  category: CategoryKey
  confidence: ConfidenceLevel
  name: string
  /** The description from the institution. */
  text: string
  channel: PaymentChannel
  /** Present only if institutions classify in this way. */
  code: TransactionCode
  /** The counterparties, the merchant first. */
  parties: readonly Company[]
  location?: TransactionLocation
  meta?: Partial<PaymentMeta>
  check_number?: string
  /** The time of day of the authorization, as `17:40:00`. */
  time?: string
}

/** A movement of money on one account, from authorization to posting. */
export interface Movement {
  /** Identifies it within the Item; its ids are derived from it. */
  label: string
  role: Role
  /** The day on which it first appears. */
  seen: Day
  /** The day on which it posts; null if it never posts. */
  posts: Day | null
  /** The day on which the pending one ends; null if it posts immediately. */
  pendingUntil: Day | null
  /** In minor units, positive when money leaves the account. */
  pendingCents: number
  cents: number
  detail: Detail
}

/** The fields of a movement that the bank itself makes, without a counterparty. */
export const ofBank = (
  category: CategoryKey,
  name: string,
  code: TransactionCode,
  text = name.toUpperCase(),
): Detail => ({
  category,
  confidence: 'VERY_HIGH',
  name,
  text,
  channel: 'other',
  code,
  parties: [],
})

export const labelOf = (role: Role, day: Day, what: string | number): string =>
  `${role}/${toDate(day)}/${what}`

/** A movement that is never pending. */
export function posted(
  role: Role,
  day: Day,
  what: string,
  cents: number,
  detail: Detail,
): Movement {
  return {
    label: labelOf(role, day, what),
    role,
    seen: day,
    posts: day,
    pendingUntil: null,
    pendingCents: cents,
    cents,
    detail,
  }
}

export const sumOf = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { cents }) => sum + cents, 0)

export const isPostedBetween =
  (from: Day, to: Day) =>
  ({ posts }: Movement): boolean =>
    posts !== null && posts >= from && posts <= to

export const isPendingOn =
  (day: Day) =>
  ({ seen, pendingUntil }: Movement): boolean =>
    pendingUntil !== null && seen <= day && day < pendingUntil
