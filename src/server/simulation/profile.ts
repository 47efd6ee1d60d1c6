import type { AddressData, PaymentMeta } from '#contract/closed.ts'
import { dayIn, monthIn } from './calendar.ts'
import * as companies from './companies.ts'
import { type LoanTerms, monthlyPayment } from './loans.ts'
import { createRandom, type Random } from './random.ts'
import { type Country, homeIn, pickTown, type Town } from './towns.ts'

/** The constants of a holder's life. All other data follows from them and the day. */
export interface Profile {
  seed: string
  country: Country
  currency: string
  town: Town
  home: AddressData
  /** The price level, relative to an average one in US dollars. */
  scale: number
  employer: companies.Company
  /** Every second Friday, in minor units. */
  pay: number
  /** Which of the two Fridays is payday. */
  payPhase: number
  /** The amount that stays on the checking account from month to month. */
  buffer: number
  /** The amount that always stays on the savings account, and its yearly interest in percent. */
  savings: number
  savingsRate: number
  card: CardTerms
  mortgage: LoanTerms
  mortgageServicer: companies.Company
  student: LoanTerms
  studentServicer: companies.Company
}

interface CardTerms {
  limit: number
  /** The debt that is never paid off, and so costs interest. */
  carried: number
  apr: number
  /** The day of the month on which the statement closes. */
  closes: number
  fee: number
  feeMonth: number
}

const currencies: Record<Country, string> = { US: 'USD', GB: 'GBP', CA: 'CAD' }
const priceLevels: Record<Country, number> = { US: 1, GB: 0.82, CA: 1.22 }

/** The two-week pay that covers an average life, in minor units. */
const averagePay = 165_000

export const countryOf = (currency: string | null): Country =>
  currency === 'GBP' ? 'GB' : currency === 'CAD' ? 'CA' : 'US'

const roundTo = (step: number, amount: number): number => Math.round(amount / step) * step

export function createProfile(seed: string, country: Country): Profile {
  const random = createRandom(`${seed}/profile`)
  const town = pickTown(random, country)
  const scale = priceLevels[country] * (0.92 + random.next() * 0.5)
  const amount = (from: number, to: number, step: number): number =>
    roundTo(step, random.integer(from, to) * scale)
  return {
    seed,
    country,
    currency: currencies[country],
    town,
    home: homeIn(random, town),
    scale,
    employer: random.pick(companies.employers),
    pay: Math.round(averagePay * scale * (0.99 + random.next() * 0.05)),
    payPhase: random.pick([1, 8]),
    buffer: amount(320_000, 420_000, 1) + random.integer(0, 99),
    savings: amount(420_000, 1_100_000, 1),
    savingsRate: random.integer(60, 420) / 100,
    card: cardTerms(random, amount),
    mortgage: mortgageTerms(random, country, amount),
    mortgageServicer: random.pick(companies.mortgageServicers),
    student: studentTerms(random, amount),
    studentServicer: random.pick(companies.studentServicers),
  }
}

type Amount = (from: number, to: number, step: number) => number

const cardTerms = (random: Random, amount: Amount): CardTerms => ({
  limit: amount(500_000, 1_200_000, 50_000),
  carried: random.chance(0.5) ? amount(20_000, 80_000, 1) : 0,
  apr: random.integer(1749, 2699) / 100,
  closes: random.integer(2, 5),
  fee: random.chance(0.4) ? 9500 : 0,
  feeMonth: random.integer(1, 12),
})

// The loans start in fixed years, since the result must not depend on the current date.
function mortgageTerms(random: Random, country: Country, amount: Amount): LoanTerms {
  const year = random.integer(2014, 2019)
  const month = random.integer(1, 12)
  return {
    principal: amount(20_500_000, 24_500_000, 100_000),
    rate: random.integer(23, 33) / 8,
    originated: dayIn(monthIn(year, month), random.integer(3, 27)),
    firstPayment: monthIn(year, month) + 2,
    payments: country === 'US' ? 360 : 300,
    dayOfMonth: 1,
    escrow: country === 'US' ? amount(18_000, 24_000, 1) : 0,
  }
}

function studentTerms(random: Random, amount: Amount): LoanTerms {
  const year = random.integer(2013, 2016)
  return {
    principal: amount(1_900_000, 2_900_000, 25_000),
    rate: random.integer(36, 54) / 8,
    originated: dayIn(monthIn(year, 8), random.integer(20, 31)),
    // Half a year after three years of study.
    firstPayment: monthIn(year + 3, 12),
    payments: 300,
    dayOfMonth: random.integer(15, 24),
    escrow: 0,
  }
}

/** The monthly loan payments from the checking account. */
export const installment = (terms: LoanTerms): number => monthlyPayment(terms) + terms.escrow

/** Caches the holder's derived values by name, since a history uses them many times. */
export function perHolder<Value>(
  make: (profile: Profile, name: string) => Value,
): (profile: Profile, name: string) => Value {
  const made = new WeakMap<Profile, Map<string, Value>>()
  return (profile, name) => {
    const known = made.get(profile) ?? new Map<string, Value>()
    made.set(profile, known)
    const value = known.get(name) ?? make(profile, name)
    known.set(name, value)
    return value
  }
}

/** The customer number of the holder at a company. */
export const referenceOf = perHolder(({ seed }, company) =>
  createRandom(`${seed}/reference/${company}`).digits(10),
)

const methods: Record<Country, string> = { US: 'ACH', GB: 'BACS', CA: 'EFT' }

/** The description of a transfer between banks. */
export function transferMeta(
  profile: Profile,
  company: string,
  side: 'payee' | 'payer',
  reason: string | null,
): Partial<PaymentMeta> {
  return {
    reference_number: referenceOf(profile, company),
    ppd_id: profile.country === 'US' ? referenceOf(profile, `${company}/ppd`) : null,
    [side]: company,
    payment_method: methods[profile.country],
    reason,
  }
}
