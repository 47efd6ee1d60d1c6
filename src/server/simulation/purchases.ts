import { type Day, isWeekend, weekdayFrom } from './calendar.ts'
import { type Company, local } from './companies.ts'
import { cardText } from './descriptions.ts'
import type { Habit } from './merchants.ts'
import { type Detail, labelOf, type Movement, posted, type Role } from './movement.ts'
import { type Profile, perHolder } from './profile.ts'
import { createRandom, type Random } from './random.ts'
import { habits } from './shops.ts'
import { branchIn } from './towns.ts'

/** The card purchases of a day, and their later refunds. */
export function purchasesOn(profile: Profile, day: Day): Movement[] {
  const random = createRandom(`${profile.seed}/purchases/${day}`)
  const count = 1 + Number(random.chance(0.36)) + Number(isWeekend(day) && random.chance(0.3))
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((ordinal) =>
    purchase(profile, day, ordinal, random.fork(String(ordinal))),
  )
}

function purchase(profile: Profile, day: Day, ordinal: number, random: Random): Movement[] {
  const habit = random.weighted(habits, isWeekend(day) ? byWeekend : byWeekday)
  const role: Role = random.chance(habit.onCard) ? 'card' : 'checking'
  const company = random.pick(habit.companies)
  const detail = cardDetail(profile, habit, company, day, random)
  const pendingCents = priceOf(habit, profile.scale, random)
  const cents = finalCents(profile, habit, pendingCents, random)
  const posts = postingDay(day, random)
  const bought: Movement = {
    label: labelOf(role, day, ordinal),
    role,
    seen: day,
    posts,
    pendingUntil: posts,
    pendingCents: habit.preauthorized && random.chance(0.3) ? 100 : pendingCents,
    cents,
    detail,
  }
  if (!habit.returned || !random.chance(0.09)) return [bought]
  return [bought, refundOf(bought, random)]
}

const byWeekday = (habit: Habit): number => habit.weekday
const byWeekend = (habit: Habit): number => habit.weekend

/** Small amounts are more common than large ones, and online prices end in 99. */
function priceOf(habit: Habit, scale: number, random: Random): number {
  const cents = (habit.from + (habit.to - habit.from) * random.next() ** 1.7) * scale
  if (habit.channel === 'online' && cents > 800) return Math.round(cents / 100) * 100 - 1
  return Math.round(cents)
}

function finalCents(profile: Profile, habit: Habit, cents: number, random: Random): number {
  const tips = habit.tipped && profile.country !== 'GB' && random.chance(0.8)
  return tips ? Math.round(cents * (1.12 + random.next() * 0.1)) : cents
}

/** Cards post on the next weekday, or the one after. */
function postingDay(day: Day, random: Random): Day {
  const next = weekdayFrom(day + 1)
  return random.chance(0.35) ? weekdayFrom(next + 1) : next
}

const locate = (chain: boolean) =>
  perHolder(({ seed, town }, company) =>
    branchIn(createRandom(`${seed}/branch/${company}`), town, chain),
  )
const [branchOfChain, branchOfShop] = [locate(true), locate(false)]

function cardDetail(
  profile: Profile,
  habit: Habit,
  company: Company,
  day: Day,
  random: Random,
): Detail {
  const branchOf = habit.chain ? branchOfChain : branchOfShop
  const location = habit.channel === 'in store' ? branchOf(profile, company.name) : undefined
  return {
    category: habit.category,
    confidence: company.confidence,
    name: company.name,
    text: cardText(profile, company.name, location, day),
    channel: habit.channel,
    code: 'purchase',
    parties: [company],
    ...(location && { location }),
    ...(random.chance(0.5) && { time: timeOf(random) }),
  }
}

const two = (number: number): string => String(number).padStart(2, '0')

const timeOf = (random: Random): string =>
  `${two(random.integer(7, 21))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`

function refundOf({ role, label, cents, detail, seen }: Movement, random: Random): Movement {
  const part = random.chance(0.5) ? cents : Math.round(cents * (0.3 + random.next() * 0.5))
  const day = weekdayFrom(seen + random.integer(6, 13))
  const { time: _, ...rest } = detail
  const text = `REFUND ${detail.text}`
  return posted(role, day, `refund of ${label}`, -part, { ...rest, text })
}

/** What is bought online with a card: pending at first, and posted on the next weekday. */
export function onlinePurchase(
  profile: Profile,
  { role, seen, what, cents }: { role: Role; seen: Day; what: string; cents: number },
  { category, company }: { category: Detail['category']; company: Company },
): Movement {
  const posts = weekdayFrom(seen + 1)
  return {
    label: labelOf(role, seen, what),
    role,
    seen,
    posts,
    pendingUntil: posts,
    pendingCents: cents,
    cents,
    detail: {
      category,
      confidence: company.confidence,
      name: company.name,
      text: cardText(profile, company.name, undefined, seen),
      channel: 'online',
      code: 'purchase',
      parties: [company],
    },
  }
}

const hotels = [local('Heronsgate Inn'), local('The Quiet Oar'), local('Fellside Car Hire')]

/** An amount that a hotel or car rental only authorizes. The hold is released after some days. */
export function holdOn(profile: Profile, day: Day): Movement {
  const random = createRandom(`${profile.seed}/hold/${day}`)
  const company = random.pick(hotels)
  const isCar = company === hotels[2]
  const cents = Math.round(random.integer(2, 8) * profile.scale) * 2500
  return {
    label: labelOf('card', day, 'hold'),
    role: 'card',
    seen: day,
    posts: null,
    pendingUntil: day + random.integer(2, 3),
    pendingCents: cents,
    cents,
    detail: {
      category: isCar ? 'TRAVEL_RENTAL_CARS' : 'TRAVEL_LODGING',
      confidence: 'HIGH',
      name: company.name,
      text: cardText(profile, `${company.name} HOLD`, undefined, day),
      channel: 'other',
      code: 'purchase',
      parties: [company],
    },
  }
}
