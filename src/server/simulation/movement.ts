import type {
  PaymentChannel,
  PaymentMeta,
  TransactionCode,
  TransactionLocation,
} from '#contract/types.ts'
import { type Day, toDate } from './calendar.ts'
import type { CategoryKey, ConfidenceLevel } from './categories.ts'
import type { Company } from './companies.ts'

/** The parts that accounts play in a holder's life, in the order of a generated Item. */
export const roles = ['checking', 'savings', 'card', 'student', 'mortgage', 'investment'] as const
export type Role = (typeof roles)[number]

/** What a transaction says beside when and how much. */
export interface Detail {
  category: CategoryKey
  confidence: ConfidenceLevel
  name: string
  /** What the institution wrote. */
  text: string
  channel: PaymentChannel
  /** Sent only where institutions classify in this way. */
  code: TransactionCode
  /** The other side, the merchant first. */
  parties: readonly Company[]
  location?: TransactionLocation
  meta?: Partial<PaymentMeta>
  check_number?: string
  /** When on its day it was authorized, as `17:40:00`. */
  time?: string
}

/** Money that moves on one account, through its whole life. */
export interface Movement {
  /** Names it within the Item; its ids are made of it. */
  label: string
  role: Role
  /** When it is first seen. */
  seen: Day
  /** When it posts; null for what never does. */
  posts: Day | null
  /** When the pending one goes; null for what posts at once. */
  pendingUntil: Day | null
  /** In minor units, positive when money leaves the account. */
  pendingCents: number
  cents: number
  detail: Detail
}

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
