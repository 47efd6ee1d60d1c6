import type { AccountBalances, Owner } from '#contract/closed.ts'
import type { AccountHistory } from './account-history.ts'
import { type Day, toDay } from './calendar.ts'
import { findHistory } from './find-history.ts'
import type { AccountSpec, LiabilitySpec } from './item-spec.ts'
import { creditOn, mortgageOn, studentOn } from './liabilities.ts'
import { principalOn } from './loans.ts'
import { type Role, roles } from './movement.ts'
import { createOwners } from './owners.ts'
import { createRandom, idFrom, type Random } from './random.ts'
import type { Country } from './towns.ts'

/** An account without its transactions. */
export type AccountHead = Omit<AccountSpec, 'transactions'>

type Kind = Pick<AccountSpec, 'type' | 'subtype' | 'name' | 'official_name'>

const investments = { US: 'brokerage', GB: 'isa', CA: 'tfsa' } as const

const kinds: Record<Role, (random: Random, country: Country) => Kind> = {
  checking: (random, country) => ({
    type: 'depository',
    subtype: 'checking',
    name: country === 'GB' ? 'Current Account' : random.pick(['Everyday Checking', 'Checking']),
    official_name: country === 'CA' ? 'Everyday Chequing Account' : 'Everyday Account Plus',
  }),
  savings: (random) => ({
    type: 'depository',
    subtype: 'savings',
    name: random.pick(['Rainy Day Savings', 'Savings', 'Instant Saver']),
    official_name: random.chance(0.5) ? 'High Interest Savings' : null,
  }),
  card: (random) => ({
    type: 'credit',
    subtype: 'credit card',
    name: random.pick(['Rewards Card', 'Travel Card', 'Cash Back Card']),
    official_name: 'Signature Credit Card',
  }),
  student: (_, country) => ({
    type: 'loan',
    subtype: 'student',
    name: 'Student Loan',
    official_name: country === 'US' ? 'Direct Subsidized Loan' : null,
  }),
  mortgage: (_, country) => ({
    type: 'loan',
    subtype: 'mortgage',
    name: 'Home Loan',
    official_name: country === 'US' ? '30-Year Fixed' : '25-Year Repayment Mortgage',
  }),
  investment: (random, country) => ({
    type: 'investment',
    subtype: investments[country],
    name: random.pick(['Brokerage', 'Investments']),
    official_name: null,
  }),
}

const inUnits = (cents: number): number => cents / 100

function balancesOn(history: AccountHistory, role: Role, day: Day): AccountBalances {
  const { profile } = history
  const toBalances = (available: number | null, current: number, limit: number | null) => ({
    available: available === null ? null : inUnits(available),
    current: inUnits(current),
    limit: limit === null ? null : inUnits(limit),
    iso_currency_code: profile.currency,
    unofficial_currency_code: null,
  })
  const pending = history
    .pendingOn(day)
    .filter((movement) => movement.role === role)
    .reduce((sum, { pendingCents }) => sum + pendingCents, 0)
  if (role === 'investment') return toBalances(...investmentsOn(history))
  if (role === 'student' || role === 'mortgage') {
    return toBalances(null, principalOn(profile[role], day), null)
  }
  const current = history.balanceOn(role, day)
  if (role !== 'card') {
    // British current accounts include an overdraft.
    const overdraft = role === 'checking' && profile.country === 'GB' ? 50_000 : null
    return toBalances(current - pending, current, overdraft)
  }
  return toBalances(profile.card.limit - current - pending, current, profile.card.limit)
}

/** Cash and value of an account that has no transactions. */
function investmentsOn({ profile }: AccountHistory): [number, number, null] {
  const random = createRandom(`${profile.seed}/investments`)
  const cash = Math.round(random.integer(5000, 90_000) * profile.scale)
  return [cash, cash + Math.round(random.integer(800_000, 4_200_000) * profile.scale), null]
}

/** Masks that are unique within the Item. */
function masksOf({ profile }: AccountHistory): string[] {
  const random = createRandom(`${profile.seed}/masks`)
  const masks = new Set<string>()
  while (masks.size < roles.length) masks.add(random.digits(4))
  return [...masks]
}

interface AccountsOptions {
  /** Balances and debts are those at the end of this day. */
  date: string
  country: Country
  /** The holder; generated if omitted. */
  name?: string
}

/** The accounts of a generated Item on a day, in the order of `roles`. */
export function accountsOn(seed: string, { date, country, name }: AccountsOptions): AccountHead[] {
  const history = findHistory(seed, country)
  const day = toDay(date)
  const { alone, joint } = createOwners(history.profile, name)
  const masks = masksOf(history)
  return roles.map((role, index) => ({
    account_id: idFrom(seed, `account/${role}`, 'opaque'),
    ...kinds[role](createRandom(`${seed}/account/${role}`), country),
    mask: masks[index] ?? null,
    holder_category: 'personal',
    balances: balancesOn(history, role, day),
    owners: structuredClone(role === 'savings' ? joint : alone),
    ...liabilityOn(history, role, day),
  }))
}

function liabilityOn(
  history: AccountHistory,
  role: Role,
  day: Day,
): Pick<AccountSpec, 'liability'> {
  const kind = role === 'card' ? 'credit' : role
  return isDebt(kind) ? { liability: debts[kind](history, day) } : {}
}

const debts = { credit: creditOn, mortgage: mortgageOn, student: studentOn }
const isDebt = (kind: string): kind is keyof typeof debts => kind in debts

/** A debt of a generated Item, without the other data of the Item. */
export const debtOn = (
  seed: string,
  kind: keyof typeof debts,
  { date, country }: AccountsOptions,
): LiabilitySpec => debts[kind](findHistory(seed, country), toDay(date))

/** The holder of a generated Item, without the other data of the Item. */
export const holderOf = (seed: string, country: Country): Owner[] =>
  createOwners(findHistory(seed, country).profile).alone
