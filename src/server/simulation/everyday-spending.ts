import { businessDayFrom, dayIn, firstDay, lastDay, type Month, monthNumber } from './calendar.ts'
import * as companies from './companies.ts'
import { cardText, debitText } from './descriptions.ts'
import { type Detail, type Movement, ofBank, posted } from './movement.ts'
import type { Profile } from './profile.ts'
import { holdOn, onlinePurchase } from './purchases.ts'
import { createRandom, type Random } from './random.ts'
import { branchIn } from './towns.ts'

/** The other movements of a month, besides shops and regular bills. */
export function errandsIn(profile: Profile, month: Month): Movement[] {
  const random = createRandom(`${profile.seed}/errands/${month}`)
  return [
    ...subscriptionsIn(profile, month),
    ...cashIn(profile, month, random.fork('cash')),
    ...friendsIn(profile, month, random.fork('friends')),
    ...checksIn(profile, month, random.fork('checks')),
    ...cardCostsIn(profile, month),
    holdOn(profile, dayIn(month, random.integer(2, 24))),
  ]
}

/**
 * Subscriptions are charged to the card on a fixed day, and are pending first like any purchase.
 */
function subscriptionsIn(profile: Profile, month: Month): Movement[] {
  const random = createRandom(`${profile.seed}/subscriptions`)
  const chosen = companies.subscriptions.filter((_, index) => index < 2 || random.chance(0.5))
  return chosen.map((item) => {
    const seen = dayIn(month, random.integer(1, 26))
    const cents = Math.round(item.cents * (profile.country === 'US' ? 1 : 1.1))
    const what = item.company.name
    return onlinePurchase(profile, { role: 'card', seen, what, cents }, item)
  })
}

const fee = (name: string, category: Detail['category']): Detail =>
  ofBank(category, name, 'bank charge')

/** Cash withdrawals. Some machines charge a fee. */
function cashIn(profile: Profile, month: Month, random: Random): Movement[] {
  const times = random.integer(0, 2)
  return Array.from({ length: times }, (_, index) => index).flatMap((index) => {
    const day = businessDayFrom(dayIn(month, random.integer(1, 10) + index * 14))
    const location = branchIn(random, profile.town, false)
    const cash = posted('checking', day, 'cash', random.integer(2, 5) * 2000, {
      category: 'TRANSFER_OUT_WITHDRAWAL',
      confidence: 'VERY_HIGH',
      name: profile.country === 'GB' ? 'Cash Machine Withdrawal' : 'ATM Withdrawal',
      text: cardText(profile, profile.country === 'GB' ? 'CASH' : 'ATM WITHDRAWAL', location, day),
      channel: 'in store',
      code: 'atm',
      parties: [],
      location,
    })
    if (!random.chance(0.35)) return [cash]
    return [cash, posted('checking', day, 'cash fee', 300, fee('ATM Fee', 'BANK_FEES_ATM_FEES'))]
  })
}

const friends = ['Ida Lindqvist', 'Owen Marsh', 'Priya Raman', 'Tomas Talvik', 'Bea Holloway']

/** Money to and from friends through a payment app. */
function friendsIn(profile: Profile, month: Month, random: Random): Movement[] {
  const length = random.integer(0, 2)
  return Array.from({ length }, (_, index) => index).map((index) => {
    const day = businessDayFrom(dayIn(month, random.integer(1, 10) + index * 13))
    const incoming = random.chance(0.45)
    const cents = Math.round((random.integer(8, 60) * profile.scale) / 2) * 100
    const friend = random.pick(friends)
    return posted('checking', day, 'friend', incoming ? -cents : cents, {
      category: incoming
        ? 'TRANSFER_IN_TRANSFER_IN_FROM_APPS'
        : 'TRANSFER_OUT_TRANSFER_OUT_FROM_APPS',
      confidence: 'HIGH',
      name: companies.paymentApp.name,
      text: `FERNPAY *${friend.toUpperCase()}`,
      channel: 'online',
      code: 'transfer',
      parties: [companies.paymentApp],
      meta: { [incoming ? 'payer' : 'payee']: friend, payment_processor: 'Fernpay' },
    })
  })
}

// Check numbers count from this month.
const firstCheckMonth = 2010 * 12

/** A craftsperson is paid every other month, in the US by check. */
function checksIn(profile: Profile, month: Month, random: Random): Movement[] {
  if (month % 2 === 1) return []
  const name = random.pick(companies.tradespeople)
  const number = String(1000 + Math.max(0, month - firstCheckMonth) / 2)
  const isCheck = profile.country === 'US'
  const day = businessDayFrom(dayIn(month, random.integer(4, 24)))
  const cents = Math.round(random.integer(60, 190) * profile.scale) * 100
  return [
    posted('checking', day, 'trade', cents, {
      category: 'HOME_IMPROVEMENT_REPAIR_AND_MAINTENANCE',
      confidence: 'MEDIUM',
      name: isCheck ? `Check ${number} ${name}` : name,
      text: isCheck ? `CHECK ${number}` : debitText(profile, name, 'BILL PAYMT'),
      channel: 'other',
      code: 'bill payment',
      parties: [companies.unknown(name, 'merchant')],
      meta: { payee: name },
      ...(isCheck && { check_number: number }),
    }),
  ]
}

/** Fees of the card, and occasionally of the account. */
function cardCostsIn(profile: Profile, month: Month): Movement[] {
  const { carried, apr, closes, fee: annual, feeMonth } = profile.card
  const interest = Math.round((carried * apr) / 1200)
  const costs: Movement[] = []
  if (interest > 0) {
    const charge = ofBank('BANK_FEES_INTEREST_CHARGE', 'Interest Charge on Purchases', 'interest')
    costs.push(posted('card', dayIn(month, closes), 'interest', interest, charge))
  }
  if (annual > 0 && monthNumber(month) === feeMonth) {
    const membership = fee('Annual Membership Fee', 'BANK_FEES_OTHER_BANK_FEES')
    costs.push(posted('card', firstDay(month), 'annual fee', annual, membership))
  }
  if (monthNumber(month) % 6 === feeMonth % 6) {
    const service = fee('Account Service Fee', 'BANK_FEES_OTHER_BANK_FEES')
    const day = businessDayFrom(lastDay(month) - 4)
    costs.push(posted('checking', day, 'account fee', 500, service))
  }
  return costs
}
