import {
  businessDayFrom,
  businessDayUntil,
  type Day,
  dayIn,
  firstDay,
  lastDay,
  type Month,
  monthNumber,
} from './calendar.ts'
import type { CategoryKey } from './categories.ts'
import * as companies from './companies.ts'
import { creditText, debitText } from './descriptions.ts'
import { type Detail, type Movement, posted } from './movement.ts'
import { type Profile, transferMeta } from './profile.ts'
import { createRandom, type Random } from './random.ts'

/** The pay for the two-week periods that end in a month. */
export function payIn(profile: Profile, month: Month): Movement[] {
  const fridays: Day[] = []
  for (let day = firstDay(month); day <= lastDay(month); day += 1) {
    if (day % 14 === profile.payPhase) fridays.push(day)
  }
  const { name } = profile.employer
  const detail: Detail = {
    category: 'INCOME_SALARY',
    confidence: 'VERY_HIGH',
    name,
    text: creditText(profile, name, profile.country === 'GB' ? 'SALARY' : 'PAYROLL'),
    channel: 'other',
    code: 'transfer',
    parties: [profile.employer],
    meta: transferMeta(profile, name, 'payer', 'PAYROLL'),
  }
  return fridays.map((day) =>
    posted('checking', businessDayUntil(day), 'pay', -profile.pay, detail),
  )
}

interface Bill {
  what: string
  category: CategoryKey
  company: companies.Company
  purpose: string
  dayOfMonth: number
  cents(random: Random, month: Month): number
  /** The interval in months. The default is 1. */
  every?: number
}

const constant = (cents: number) => (): number => cents

/** Heating makes bills higher in winter. */
const seasonal =
  (cents: number) =>
  (random: Random, month: Month): number =>
    Math.round(
      cents * (1 + 0.35 * Math.cos((monthNumber(month) - 1) * (Math.PI / 6))) +
        random.integer(-400, 400),
    )

function billsOf(profile: Profile): Bill[] {
  const random = createRandom(`${profile.seed}/bills`)
  const dear = (from: number, to: number): number =>
    Math.round(random.integer(from, to) * profile.scale)
  const bill = (
    what: string,
    category: CategoryKey,
    choices: readonly companies.Company[],
    days: [number, number],
    cents: Bill['cents'],
  ): Bill => ({
    what,
    category,
    company: random.pick(choices),
    purpose: 'BILL PAYMT',
    dayOfMonth: random.integer(...days),
    cents,
  })
  const bills = [
    bill(
      'energy',
      'RENT_AND_UTILITIES_GAS_AND_ELECTRICITY',
      companies.energy,
      [5, 9],
      seasonal(dear(8000, 11_500)),
    ),
    {
      ...bill(
        'water',
        'RENT_AND_UTILITIES_WATER',
        companies.water,
        [16, 20],
        seasonal(dear(8000, 9900)),
      ),
      every: 3,
    },
    bill(
      'internet',
      'RENT_AND_UTILITIES_INTERNET_AND_CABLE',
      companies.internet,
      [11, 15],
      constant(dear(4800, 6900)),
    ),
    bill(
      'telephone',
      'RENT_AND_UTILITIES_TELEPHONE',
      companies.telephone,
      [18, 22],
      constant(dear(2800, 4900)),
    ),
    bill(
      'insurance',
      'GENERAL_SERVICES_INSURANCE',
      companies.carInsurers,
      [8, 12],
      constant(dear(8200, 11_900)),
    ),
    {
      ...bill(
        'donation',
        'GOVERNMENT_AND_NON_PROFIT_DONATIONS',
        companies.charities,
        [20, 24],
        constant(1500),
      ),
      purpose: 'DONATION',
    },
  ]
  if (profile.country !== 'GB') return bills
  const tax = bill(
    'council tax',
    'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT',
    [companies.council],
    [3, 5],
    constant(dear(13_000, 15_000)),
  )
  return [...bills, tax]
}

/** The bills of a month, debited from the checking account on business days. */
export function billsIn(profile: Profile, month: Month): Movement[] {
  return billsOf(profile)
    .filter(({ every = 1 }) => month % every === 0)
    .map((bill) => {
      const { name } = bill.company
      const random = createRandom(`${profile.seed}/${bill.what}/${month}`)
      const day = businessDayFrom(dayIn(month, bill.dayOfMonth))
      return posted('checking', day, bill.what, bill.cents(random, month), {
        category: bill.category,
        confidence: bill.company.confidence,
        name,
        text: debitText(profile, name, bill.purpose),
        channel: 'other',
        code: 'direct debit',
        parties: [bill.company],
        meta: transferMeta(profile, name, 'payee', bill.purpose),
      })
    })
}

/** The yearly tax refund in spring. In Britain employees do not file a return. */
export function taxRefundIn(profile: Profile, month: Month): Movement[] {
  if (profile.country === 'GB' || monthNumber(month) !== 3) return []
  const random = createRandom(`${profile.seed}/tax/${month}`)
  const day = businessDayFrom(dayIn(month, random.integer(6, 24)))
  const office = companies.unknown('Revenue Office', 'income_source', 'HIGH')
  const cents = Math.round(random.integer(38_000, 86_000) * profile.scale)
  return [
    posted('checking', day, 'tax refund', -cents, {
      category: 'INCOME_TAX_REFUND',
      confidence: 'HIGH',
      name: 'Tax Refund',
      text: creditText(profile, office.name, 'TAX REF'),
      channel: 'other',
      code: 'transfer',
      parties: [office],
      meta: transferMeta(profile, office.name, 'payer', 'TAX REF'),
    }),
  ]
}
