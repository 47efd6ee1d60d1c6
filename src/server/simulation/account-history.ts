import { billsIn, payIn, taxRefundIn } from './bills.ts'
import { type Day, dayIn, firstDay, lastDay, type Month, monthOf } from './calendar.ts'
import { errandsIn } from './everyday-spending.ts'
import { loanPaymentsIn } from './loan-payments.ts'
import { isPendingOn, isPostedBetween, type Movement, type Role, sumOf } from './movement.ts'
import * as own from './own-transfers.ts'
import { createProfile, type Profile } from './profile.ts'
import { purchasesOn } from './purchases.ts'
import { remember } from './remember.ts'
import type { Country } from './towns.ts'

/** The complete financial history of a holder. Each part is computed on demand. */
export interface AccountHistory {
  profile: Profile
  /** All movements that post between two days, both included. */
  postedBetween(from: Day, to: Day): Movement[]
  /** All pending movements that first appear on a day. */
  pendingFrom(day: Day): Movement[]
  /** Those that are pending at the end of a day. */
  pendingOn(day: Day): Movement[]
  /** Those that stop being pending on a day. */
  endingOn(day: Day): Movement[]
  /** The balance of an account, or the debt of the card, at the end of a day; in minor units. */
  balanceOn(role: own.KeptRole, day: Day): number
  /** The card purchases in the statement that closes in a month. */
  statementIn(month: Month): number
  /** The payment of that statement, as the card shows it. */
  paymentIn(month: Month): Movement | undefined
  /** Forgets the movements of all but the latest months; they are made again where they are needed. */
  shorten(): void
}

// The maximum delay between the month that creates a movement and its day: that of a refund. Pay
// can even come before its month.
const longestDelay = 20
const longestLead = 4

const monthsBetween = (from: Day, to: Day): Month[] => {
  const [first, last] = [monthOf(from - longestDelay), monthOf(to + longestLead)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The movements of a month that do not depend on balances. */
function everydayIn(profile: Profile, month: Month): Movement[] {
  const purchases: Movement[] = []
  for (let day = firstDay(month); day <= lastDay(month); day += 1) {
    purchases.push(...purchasesOn(profile, day))
  }
  return [
    ...payIn(profile, month),
    ...loanPaymentsIn(profile, month),
    ...billsIn(profile, month),
    ...taxRefundIn(profile, month),
    ...errandsIn(profile, month),
    ...purchases,
  ]
}

const monthsKept = 48
/** Of a history that is needed for its latest days only. */
const latestMonths = 3

export function createHistory(seed: string, country: Country): AccountHistory {
  const profile = createProfile(seed, country)
  const everyday = remember(monthsKept, (month: Month) => everydayIn(profile, month))
  const everydayBetween = (role: Role, from: Day, to: Day): Movement[] =>
    monthsBetween(from, to).flatMap((month) =>
      everyday(month).filter(
        (movement) => movement.role === role && isPostedBetween(from, to)(movement),
      ),
    )
  const statementIn = remember(monthsKept, (month: Month) => {
    const closes = (of: Month): Day => dayIn(of, profile.card.closes)
    return sumOf(everydayBetween('card', closes(month - 1) + 1, closes(month)))
  })
  const cardPaymentIn = (month: Month) => own.cardPayment(profile, month, statementIn(month))
  const restOf = remember(monthsKept, (month: Month) => {
    const spent = sumOf(everydayBetween('checking', firstDay(month), lastDay(month)))
    return -spent - Math.max(0, statementIn(month))
  })
  const savings = own.createSavings(profile, restOf, (make) => remember(monthsKept, make))
  const all = remember(monthsKept, (month: Month) => [
    ...everyday(month),
    ...cardPaymentIn(month),
    ...savings.movementsIn(month),
  ])
  const find = (from: Day, to: Day, isWanted: (movement: Movement) => boolean): Movement[] =>
    monthsBetween(from, to).flatMap((month) => all(month).filter(isWanted))
  const postedBetween = (from: Day, to: Day) => find(from, to, isPostedBetween(from, to))
  const flow = (role: Role, from: Day, to: Day): number =>
    sumOf(postedBetween(from, to).filter((movement) => movement.role === role))

  return {
    profile,
    postedBetween,
    statementIn,
    paymentIn: (month) => cardPaymentIn(month).find(({ role }) => role === 'card'),
    pendingFrom: (day) =>
      find(day, day, ({ seen, pendingUntil }) => pendingUntil !== null && seen === day),
    pendingOn: (day) => find(day, day, isPendingOn(day)),
    endingOn: (day) => find(day, day, ({ pendingUntil }) => pendingUntil === day),
    balanceOn(role, day) {
      const month = monthOf(day)
      const moved = flow(role, firstDay(month), day)
      if (role === 'card') return own.owedBefore(profile, month, flow, statementIn) + moved
      if (role === 'savings') return profile.savings + savings.keptBefore(month) - moved
      return profile.buffer + restOf(month - 1) - moved
    },
    shorten() {
      for (const movements of [everyday, all]) movements.keepLatest(latestMonths)
    },
  }
}
