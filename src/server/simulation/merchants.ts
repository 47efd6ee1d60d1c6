import type { PaymentChannel } from '#contract/closed.ts'
import type { CategoryKey } from './categories.ts'
import { brand, type Company, local } from './companies.ts'

/** A type of card purchase. */
export interface Habit {
  category: CategoryKey
  companies: readonly Company[]
  channel: PaymentChannel
  /** The usual minimum and maximum, in minor units. */
  from: number
  to: number
  /** Its relative frequency, on a weekday and at the weekend. */
  weekday: number
  weekend: number
  /** The share of purchases with the credit card instead of the debit card. */
  onCard: number
  /** The posted amount is higher than the pending one. */
  tipped?: true
  /** The pending amount may be a token one. */
  preauthorized?: true
  /** Some purchases are refunded. */
  returned?: true
  /** The companies have numbered branches. */
  chain?: true
}

/** Food, drink and transport. */
export const dailyHabits: readonly Habit[] = [
  {
    category: 'FOOD_AND_DRINK_GROCERIES',
    companies: ['Oakmarket', 'Greenbarrow Foods', 'Pantry & Pail'].map((name) => brand(name)),
    channel: 'in store',
    from: 1200,
    to: 9800,
    weekday: 20,
    weekend: 30,
    onCard: 0.3,
    chain: true,
  },
  {
    category: 'FOOD_AND_DRINK_COFFEE',
    companies: [brand('Kettle & Fern'), brand('Small Hours Coffee'), local('Corner Kiln')],
    channel: 'in store',
    from: 290,
    to: 890,
    weekday: 20,
    weekend: 10,
    onCard: 0.3,
  },
  {
    category: 'FOOD_AND_DRINK_RESTAURANT',
    companies: ['Saltmarsh Diner', 'The Copper Heron', 'Noodle & Thyme'].map((name) => local(name)),
    channel: 'in store',
    from: 1400,
    to: 6800,
    weekday: 8,
    weekend: 16,
    onCard: 0.7,
    tipped: true,
  },
  {
    category: 'FOOD_AND_DRINK_FAST_FOOD',
    companies: ['Burrow Burgers', 'Pocket Pita'].map((name) => brand(name)),
    channel: 'in store',
    from: 650,
    to: 1900,
    weekday: 10,
    weekend: 6,
    onCard: 0.4,
    chain: true,
  },
  {
    category: 'TRANSPORTATION_GAS',
    companies: ['Halyard Fuel', 'Redwing Service Station'].map((name) => brand(name)),
    channel: 'in store',
    from: 2600,
    to: 6200,
    weekday: 7,
    weekend: 7,
    onCard: 0.5,
    preauthorized: true,
    chain: true,
  },
  {
    category: 'TRANSPORTATION_PUBLIC_TRANSIT',
    companies: [{ ...brand('Ferrylane Transit'), logo: null }],
    channel: 'online',
    from: 250,
    to: 1000,
    weekday: 9,
    weekend: 3,
    onCard: 0.2,
  },
  {
    category: 'TRANSPORTATION_TAXIS_AND_RIDE_SHARES',
    companies: [brand('Swiftlet Rides')],
    channel: 'online',
    from: 900,
    to: 3400,
    weekday: 2,
    weekend: 5,
    onCard: 0.8,
    tipped: true,
  },
  {
    category: 'TRANSPORTATION_PARKING',
    companies: [brand('Curbwise Parking')],
    channel: 'online',
    from: 200,
    to: 1400,
    weekday: 3,
    weekend: 3,
    onCard: 0.3,
  },
]
