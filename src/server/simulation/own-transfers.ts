import { businessDayFrom, type Day, dayIn, firstDay, lastDay, type Month } from './calendar.ts'
import { treats } from './companies.ts'
import { transferText } from './descriptions.ts'
import { type Detail, type Movement, ofBank, posted, type Role } from './movement.ts'
import type { Profile } from './profile.ts'
import { onlinePurchase } from './purchases.ts'
import { createRandom } from './random.ts'

// Three rules bound the balances, so that a balance depends only on the day. The card's statement
// is paid in full each month. The surplus of a month on the checking account moves to savings in
// the next month. Every six months the savings are spent.

/** The accounts whose balances follow these rules. Loans follow their schedules. */
export type KeptRole = 'checking' | 'savings' | 'card'

const cycle = 6
const isCycleStart = (month: Month): boolean => month % cycle === 0

const transferDetail = (
  profile: Profile,
  direction: 'to' | 'from',
  other: string,
  category: Detail['category'],
): Detail =>
  ofBank(
    category,
    `Transfer ${direction} ${other}`,
    'transfer',
    transferText(profile, direction, other),
  )

/** The statement's amount, paid from the checking account some weeks after it closed. */
export function cardPayment(profile: Profile, month: Month, statement: number): Movement[] {
  if (statement <= 0) return []
  const day = businessDayFrom(dayIn(month, profile.card.closes + 19))
  const text = profile.country === 'GB' ? 'DIRECT DEBIT CREDIT CARD' : 'CREDIT CARD AUTOPAY'
  const detail = ofBank(
    'LOAN_PAYMENTS_CREDIT_CARD_PAYMENT',
    'Credit Card Payment',
    'direct debit',
    text,
  )
  return [
    posted('checking', day, 'card payment', statement, detail),
    posted('card', day, 'payment', -statement, {
      ...detail,
      name: 'Automatic Payment',
      text: 'AUTOMATIC PAYMENT - THANK YOU',
    }),
  ]
}

type Flow = (role: Role, from: Day, to: Day) => number

/** The debt of the card at the start of a month. */
export function owedBefore(
  profile: Profile,
  month: Month,
  flow: Flow,
  statementIn: (month: Month) => number,
): number {
  const closed = dayIn(month - 1, profile.card.closes)
  // The payment of that statement always falls within the same month.
  const sinceClose = flow('card', closed + 1, firstDay(month) - 1)
  return profile.card.carried + sinceClose + Math.max(0, statementIn(month - 1))
}

/** The movements of the savings account. */
export interface Savings {
  movementsIn(month: Month): Movement[]
  /** The accumulated savings at the start of a month. */
  keptBefore(month: Month): number
}

type Remember = <Value>(make: (month: Month) => Value) => (month: Month) => Value

export function createSavings(
  profile: Profile,
  restOf: (month: Month) => number,
  remember: Remember,
): Savings {
  const interestIn = remember((month: Month): number => {
    // The first month of a cycle withdraws the savings of the cycle before.
    const gathered = isCycleStart(month) ? 0 : keptBefore(month)
    const balance = profile.savings + gathered + restOf(month - 1)
    return Math.max(0, Math.round((balance * profile.savingsRate) / 1200))
  })
  const keptBefore = (month: Month): number => {
    const last = month - 1
    const added = restOf(last - 1) + interestIn(last)
    return isCycleStart(last) ? added : keptBefore(last) + added
  }
  return {
    keptBefore,
    movementsIn: (month) => [
      ...sweep(profile, month, restOf(month - 1)),
      ...(isCycleStart(month) ? treat(profile, month, keptBefore(month)) : []),
      ...interest(month, interestIn(month)),
    ],
  }
}

/** Moves the surplus of the previous month to savings, or covers its deficit from savings. */
function sweep(profile: Profile, month: Month, cents: number): Movement[] {
  if (cents === 0) return []
  const day = businessDayFrom(businessDayFrom(firstDay(month)) + 1)
  return between(profile, day, 'sweep', cents)
}

/** Both movements of a transfer from checking to savings. A negative amount goes the other way. */
function between(profile: Profile, day: Day, what: string, cents: number): Movement[] {
  const saves = cents > 0
  const checking = profile.country === 'GB' ? 'Current Account' : 'Checking'
  const onChecking = saves
    ? transferDetail(profile, 'to', 'Savings', 'TRANSFER_OUT_SAVINGS')
    : transferDetail(profile, 'from', 'Savings', 'TRANSFER_IN_ACCOUNT_TRANSFER')
  const onSavings = saves
    ? transferDetail(profile, 'from', checking, 'TRANSFER_IN_SAVINGS')
    : transferDetail(profile, 'to', checking, 'TRANSFER_OUT_ACCOUNT_TRANSFER')
  return [
    posted('checking', day, what, cents, onChecking),
    posted('savings', day, what, -cents, onSavings),
  ]
}

/**
 * Withdraws the savings, and spends them soon after. The average pay leaves a surplus every half
 * year. Without a surplus the savings would not depend on the day alone.
 */
function treat(profile: Profile, month: Month, cents: number): Movement[] {
  if (cents <= 0) return []
  const random = createRandom(`${profile.seed}/treat/${month}`)
  const item = random.pick(treats)
  const transferred = businessDayFrom(dayIn(month, random.integer(9, 13)))
  const seen = transferred + 1
  const spent = onlinePurchase(profile, { role: 'checking', seen, what: 'treat', cents }, item)
  return [...between(profile, transferred, 'withdrawal', -cents), spent]
}

function interest(month: Month, cents: number): Movement[] {
  if (cents === 0) return []
  const detail = ofBank('INCOME_INTEREST_EARNED', 'Interest Payment', 'interest')
  return [posted('savings', lastDay(month), 'interest', -cents, detail)]
}
