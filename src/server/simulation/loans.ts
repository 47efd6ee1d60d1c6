import { businessDayFrom, type Day, dayIn, type Month, monthOf } from './calendar.ts'

/** A loan that is paid back in equal monthly payments. */
export interface LoanTerms {
  /** In minor units. */
  principal: number
  /** Per year, in percent. */
  rate: number
  originated: Day
  firstPayment: Month
  payments: number
  dayOfMonth: number
  /** The part of each payment besides interest and principal, for taxes and insurance. */
  escrow: number
}

export interface LoanPayment {
  day: Day
  interest: number
  principal: number
  /** The remaining principal after it. */
  left: number
}

export function monthlyPayment({ principal, rate, payments }: LoanTerms): number {
  const monthly = rate / 1200
  return Math.ceil((principal * monthly) / (1 - (1 + monthly) ** -payments))
}

const schedules = new WeakMap<LoanTerms, LoanPayment[]>()

/** Every payment of the loan, from the first to the last. */
export function scheduleOf(terms: LoanTerms): LoanPayment[] {
  const known = schedules.get(terms)
  if (known) return known
  const amount = monthlyPayment(terms)
  const schedule: LoanPayment[] = []
  let left = terms.principal
  for (let month = terms.firstPayment; left > 0; month += 1) {
    const interest = Math.round((left * terms.rate) / 1200)
    const principal = Math.min(amount - interest, left)
    left -= principal
    const day = businessDayFrom(dayIn(month, terms.dayOfMonth))
    schedule.push({ day, interest, principal, left })
  }
  schedules.set(terms, schedule)
  return schedule
}

export const paymentIn = (terms: LoanTerms, month: Month): LoanPayment | undefined =>
  scheduleOf(terms)[month - terms.firstPayment]

/** The payments up to and including a day. */
export function paymentsBy(terms: LoanTerms, day: Day): LoanPayment[] {
  const count = monthOf(day) - terms.firstPayment
  const due = scheduleOf(terms)[count]
  return scheduleOf(terms).slice(0, Math.max(0, due && due.day <= day ? count + 1 : count))
}

export const principalOn = (terms: LoanTerms, day: Day): number =>
  paymentsBy(terms, day).at(-1)?.left ?? terms.principal
