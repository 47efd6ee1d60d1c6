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
  companies: readonly companies.Company[]
  days: readonly [from: number, to: number]
  /** The range of the amount at an average price level. A single number is the same for all. */
  cents: readonly [from: number, to: number] | number
  /** Heating makes it higher in winter. */
  seasonal?: true
  /** The interval in months. The default is 1. */
  every?: number
  purpose?: string
  /** Only British holders have it. */
  british?: true
}

const kinds: readonly Bill[] = [
  {
    what: 'energy',
    category: 'RENT_AND_UTILITIES_GAS_AND_ELECTRICITY',
    companies: companies.energy,
    days: [5, 9],
    cents: [8000, 11_500],
    seasonal: true,
  },
  {
    what: 'water',
    category: 'RENT_AND_UTILITIES_WATER',
    companies: companies.water,
    days: [16, 20],
    cents: [8000, 9900],
    seasonal: true,
    every: 3,
  },
  {
    what: 'internet',
    category: 'RENT_AND_UTILITIES_INTERNET_AND_CABLE',
    companies: companies.internet,
    days: [11, 15],
    cents: [4800, 6900],
  },
  {
    what: 'telephone',
    category: 'RENT_AND_UTILITIES_TELEPHONE',
    companies: companies.telephone,
    days: [18, 22],
    cents: [2800, 4900],
  },
  {
    what: 'insurance',
    category: 'GENERAL_SERVICES_INSURANCE',
    companies: companies.carInsurers,
    days: [8, 12],
    cents: [8200, 11_900],
  },
  {
    what: 'donation',
    category: 'GOVERNMENT_AND_NON_PROFIT_DONATIONS',
    companies: companies.charities,
    days: [20, 24],
    cents: 1500,
    purpose: 'DONATION',
  },
  {
    what: 'council tax',
    category: 'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT',
    companies: [companies.council],
    days: [3, 5],
    cents: [13_000, 15_000],
    british: true,
  },
]

/** The bills of a holder, each with its company, day and usual amount. */
function billsOf({ seed, scale, country }: Profile) {
  const random = createRandom(`${seed}/bills`)
  return kinds
    .filter(({ british }) => !british || country === 'GB')
    .map((bill) => ({
      ...bill,
      usual:
        typeof bill.cents === 'number'
          ? bill.cents
          : Math.round(random.integer(...bill.cents) * scale),
      company: random.pick(bill.companies),
      dayOfMonth: random.integer(...bill.days),
    }))
}

const winterCents = (cents: number, random: Random, month: Month): number =>
  Math.round(
    cents * (1 + 0.35 * Math.cos((monthNumber(month) - 1) * (Math.PI / 6))) +
      random.integer(-400, 400),
  )

/** The bills of a month, debited from the checking account on business days. */
export function billsIn(profile: Profile, month: Month): Movement[] {
  return billsOf(profile)
    .filter(({ every = 1 }) => month % every === 0)
    .map(({ what, category, company, dayOfMonth, usual, seasonal, purpose = 'BILL PAYMT' }) => {
      const { name, confidence } = company
      const random = createRandom(`${profile.seed}/${what}/${month}`)
      const cents = seasonal ? winterCents(usual, random, month) : usual
      return posted('checking', businessDayFrom(dayIn(month, dayOfMonth)), what, cents, {
        category,
        confidence,
        name,
        text: debitText(profile, name, purpose),
        channel: 'other',
        code: 'direct debit',
        parties: [company],
        meta: transferMeta(profile, name, 'payee', purpose),
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
