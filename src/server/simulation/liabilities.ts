import type { AccountHistory } from './account-history.ts'
import {
  businessDayUntil,
  type Day,
  dayIn,
  type Month,
  monthOf,
  toDate,
  yearOf,
} from './calendar.ts'
import type { CreditSpec, MortgageSpec, StudentSpec } from './item-spec.ts'
import { type LoanPayment, type LoanTerms, paymentsBy, principalOn, scheduleOf } from './loans.ts'
import { installment, referenceOf } from './profile.ts'
import { createRandom } from './random.ts'

const inUnits = (cents: number): number => cents / 100

/** The month of the statement that closed last. */
const lastStatement = (day: Day, closes: number): Month =>
  dayIn(monthOf(day), closes) <= day ? monthOf(day) : monthOf(day) - 1

const leastMinimum = 2500

export function creditOn(history: AccountHistory, day: Day): CreditSpec {
  const { carried, apr, closes } = history.profile.card
  const month = lastStatement(day, closes)
  const paid = [month, month - 1].flatMap((of) => history.paymentIn(of) ?? [])
  const last = paid.find(({ posts }) => posts !== null && posts <= day)
  const isPaid = last !== undefined && last === paid[0]
  const owed = carried + history.statementIn(month)
  const minimum = Math.min(owed, Math.max(leastMinimum, Math.round(owed * 0.02)))
  return {
    kind: 'credit',
    aprs: [
      {
        apr_percentage: apr,
        apr_type: 'purchase_apr',
        balance_subject_to_apr: inUnits(carried),
        interest_charge_amount: inUnits(Math.round((carried * apr) / 1200)),
      },
      {
        apr_percentage: Math.round((apr + 5.5) * 100) / 100,
        apr_type: 'cash_apr',
        balance_subject_to_apr: null,
        interest_charge_amount: null,
      },
    ],
    is_overdue: false,
    last_payment_amount: last ? inUnits(-last.cents) : null,
    last_payment_date: last ? toDate(last.seen) : null,
    last_statement_issue_date: toDate(dayIn(month, closes)),
    last_statement_balance: inUnits(owed),
    minimum_payment_amount: inUnits(Math.max(0, minimum)),
    next_payment_due_date: toDate(dayIn(isPaid ? month + 1 : month, closes + 25)),
  }
}

/** The payment fields that both kinds of loan have. */
function paymentsOf(terms: LoanTerms, day: Day) {
  const paid = paymentsBy(terms, day)
  const next = scheduleOf(terms)[paid.length]
  const ofYear = paid.filter((payment) => yearOf(payment.day) === yearOf(day))
  const sum = (part: (payment: LoanPayment) => number): number =>
    inUnits(ofYear.reduce((total, payment) => total + part(payment), 0))
  const last = paid.at(-1)
  return {
    isOver: next === undefined,
    lastAmount: last ? inUnits(last.interest + last.principal + terms.escrow) : null,
    lastDate: last ? toDate(last.day) : null,
    nextAmount: next ? inUnits(next.interest + next.principal + terms.escrow) : null,
    nextDate: next ? toDate(next.day) : null,
    endDate: toDate(scheduleOf(terms).at(-1)?.day ?? day),
    interestOfYear: sum(({ interest }) => interest),
    principalOfYear: sum(({ principal }) => principal),
  }
}

export function mortgageOn({ profile }: AccountHistory, day: Day): MortgageSpec {
  const { mortgage: terms, home, country } = profile
  const random = createRandom(`${profile.seed}/mortgage`)
  const payments = paymentsOf(terms, day)
  return {
    kind: 'mortgage',
    account_number: referenceOf(profile, 'mortgage'),
    current_late_fee: random.chance(0.5) ? 0 : null,
    escrow_balance: terms.escrow > 0 ? inUnits(terms.escrow * ((monthOf(day) % 12) + 3)) : null,
    has_pmi: country === 'US' ? random.chance(0.4) : null,
    has_prepayment_penalty: country === 'US' ? false : random.chance(0.5),
    interest_rate: {
      percentage: terms.rate,
      type: country === 'US' || random.chance(0.7) ? 'fixed' : 'variable',
    },
    last_payment_amount: payments.lastAmount,
    last_payment_date: payments.lastDate,
    loan_type_description: random.chance(0.8) ? 'conventional' : null,
    loan_term: `${terms.payments / 12} year`,
    maturity_date: payments.endDate,
    next_monthly_payment: payments.nextAmount,
    next_payment_due_date: payments.nextDate,
    origination_date: toDate(terms.originated),
    origination_principal_amount: inUnits(terms.principal),
    past_due_amount: random.chance(0.5) ? 0 : null,
    property_address: {
      city: home.city,
      country: home.country,
      postal_code: home.postal_code,
      region: home.region,
      street: home.street,
    },
    ytd_interest_paid: payments.interestOfYear,
    ytd_principal_paid: payments.principalOfYear,
  }
}

export function studentOn({ profile }: AccountHistory, day: Day): StudentSpec {
  const { student: terms, town } = profile
  const random = createRandom(`${profile.seed}/student`)
  const payments = paymentsOf(terms, day)
  const accountNumber = referenceOf(profile, 'student')
  const isUs = profile.country === 'US'
  const statement = businessDayUntil(dayIn(monthOf(day) - 1, 28))
  return {
    kind: 'student',
    account_number: accountNumber,
    disbursement_dates: [terms.originated, terms.originated + 145].map(toDate),
    expected_payoff_date: payments.endDate,
    guarantor: isUs ? 'DEPT OF ED' : null,
    interest_rate_percentage: terms.rate,
    is_overdue: random.chance(0.5) ? false : null,
    last_payment_amount: payments.lastAmount,
    last_payment_date: payments.lastDate,
    last_statement_balance: inUnits(principalOn(terms, statement)),
    last_statement_issue_date: toDate(statement),
    loan_name: isUs ? 'Direct Subsidized' : 'Student Loan',
    loan_status: {
      end_date: payments.isOver ? null : payments.endDate,
      type: payments.isOver ? 'paid in full' : 'repayment',
    },
    minimum_payment_amount: payments.isOver ? 0 : inUnits(installment(terms)),
    next_payment_due_date: payments.nextDate,
    origination_date: toDate(terms.originated),
    origination_principal_amount: inUnits(terms.principal),
    outstanding_interest_amount: inUnits(accruedOn(terms, day)),
    payment_reference_number: accountNumber,
    pslf_status: {
      estimated_eligibility_date: null,
      payments_made: null,
      payments_remaining: null,
    },
    repayment_plan: { description: 'Extended Standard Repayment', type: 'extended standard' },
    sequence_number: isUs ? '1' : null,
    servicer_address: {
      city: town.city,
      region: town.region,
      street: `PO Box ${random.integer(1000, 9900)}`,
      postal_code: town.postal_code,
      country: town.country,
    },
    ytd_interest_paid: payments.interestOfYear,
    ytd_principal_paid: payments.principalOfYear,
  }
}

/** The interest since the last payment, day by day. */
function accruedOn(terms: LoanTerms, day: Day): number {
  const since = paymentsBy(terms, day).at(-1)?.day ?? terms.originated
  const days = Math.min(31, Math.max(0, day - since))
  return Math.round((principalOn(terms, day) * terms.rate * days) / 36_500)
}
