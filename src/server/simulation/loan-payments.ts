import type { Month } from './calendar.ts'
import { debitText } from './descriptions.ts'
import { paymentIn } from './loans.ts'
import { type Detail, type Movement, ofBank, posted } from './movement.ts'
import { type Profile, transferMeta } from './profile.ts'

/** The loan payments of a month, as movements of both accounts. */
export function loanPaymentsIn(profile: Profile, month: Month): Movement[] {
  return [...loanPayment(profile, 'student', month), ...loanPayment(profile, 'mortgage', month)]
}

function loanPayment(profile: Profile, role: 'student' | 'mortgage', month: Month): Movement[] {
  const terms = profile[role]
  const payment = paymentIn(terms, month)
  if (!payment) return []
  const { day, interest, principal } = payment
  const servicer = role === 'student' ? profile.studentServicer : profile.mortgageServicer
  const detail: Detail = {
    category:
      role === 'student' ? 'LOAN_PAYMENTS_STUDENT_LOAN_PAYMENT' : 'LOAN_PAYMENTS_MORTGAGE_PAYMENT',
    confidence: 'VERY_HIGH',
    name: servicer.name,
    text: debitText(profile, servicer.name, role === 'student' ? 'STDNT LOAN' : 'MTG PAYMT'),
    channel: 'other',
    code: 'direct debit',
    parties: [servicer],
    meta: transferMeta(profile, servicer.name, 'payee', null),
  }
  const cents = interest + principal + terms.escrow
  const paid = posted('checking', day, `${role} payment`, cents, detail)
  // Only Canadian mortgages show their transactions, and those have no escrow.
  if (role === 'mortgage' && profile.country !== 'CA') return [paid]
  const charged = ofBank('BANK_FEES_INTEREST_CHARGE', 'Interest Charge', 'interest')
  return [
    paid,
    posted(role, day, 'interest', interest, charged),
    posted(role, day, 'payment', -cents, {
      ...detail,
      name: 'Payment',
      text: 'PAYMENT - THANK YOU',
    }),
  ]
}
