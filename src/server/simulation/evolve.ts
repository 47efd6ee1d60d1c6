import { findStory } from './account-history.ts'
import { toDay } from './calendar.ts'
import type { AccountSpec, TransactionSpec } from './item-spec.ts'
import type { Movement, Role } from './movement.ts'
import { countryOf } from './profile.ts'
import { pendingIdOf, toPendingSpec, toPostedSpec } from './to-transaction-spec.ts'

/** What an account must tell so that its part in the story can be found. */
export type EvolvingAccount = Pick<AccountSpec, 'type' | 'subtype' | 'balances' | 'closed'>

export interface AddedTransaction {
  /** The account's place in the list that was given. */
  account: number
  transaction: TransactionSpec
}

export interface RemovedTransaction {
  account: number
  transaction_id: string
  /** Whether a posted one takes its place; otherwise it was dropped. */
  replaced: boolean
}

/** What a day changes, in the order in which it should be written. */
export interface DayChanges {
  removed: RemovedTransaction[]
  added: AddedTransaction[]
}

/**
 * What happens on a day after the anchor: card payments appear as pending, those of the last days
 * post under new ids, or vanish, and all else posts at once.
 *
 * The rule that joins this with `generateItem`: both read one story, which the seed and the country
 * decide and in which no date is special. An Item that is generated at day D and then evolved
 * through D + 1 … D + n holds the same transactions, ids included, as one that is generated at
 * D + n with the same start; only `pending_transaction_id` differs, since it is told only of what
 * the service saw pending. Each day must be asked for once, in order; balances follow by adding up
 * what posts (less `amount` for depository accounts, plus it for debts).
 *
 * Accounts find their part by type and subtype, and the country by their currency. A part that no
 * account has is left out, as if it were at another bank.
 */
export function evolveDay(
  seed: string,
  accounts: readonly EvolvingAccount[],
  date: string,
): DayChanges {
  const day = toDay(date)
  const places = placesOf(accounts)
  const story = findStory(seed, countryOf(mainCurrency(accounts)))
  const { profile } = story
  const placed = (movements: Movement[]) =>
    movements.flatMap((movement) => {
      const account = places.get(movement.role)
      return account === undefined ? [] : [{ account, movement }]
    })
  return {
    removed: placed(story.endingOn(day)).map(({ account, movement }) => ({
      account,
      transaction_id: pendingIdOf(profile, movement),
      replaced: movement.posts !== null,
    })),
    added: [
      ...placed(story.postedBetween(day, day)).map(({ account, movement }) => ({
        account,
        transaction: {
          ...toPostedSpec(profile, movement, day, movement.pendingUntil !== null),
          ...currencyOf(accounts[account]),
        },
      })),
      ...placed(story.pendingFrom(day)).map(({ account, movement }) => ({
        account,
        transaction: { ...toPendingSpec(profile, movement), ...currencyOf(accounts[account]) },
      })),
    ],
  }
}

const mainCurrency = (accounts: readonly EvolvingAccount[]): string | null =>
  accounts.find(({ balances }) => balances.iso_currency_code !== null)?.balances
    .iso_currency_code ?? null

/** An account keeps its currency, wherever the story is set. */
const currencyOf = (account: EvolvingAccount | undefined) =>
  account && {
    iso_currency_code: account.balances.iso_currency_code,
    unofficial_currency_code: account.balances.unofficial_currency_code,
  }

const isRole: Record<Exclude<Role, 'investment'>, (account: EvolvingAccount) => boolean> = {
  checking: ({ type, subtype }) => type === 'depository' && subtype === 'checking',
  savings: ({ type, subtype }) => type === 'depository' && subtype === 'savings',
  card: ({ type, subtype }) => type === 'credit' && subtype === 'credit card',
  student: ({ type, subtype }) => type === 'loan' && subtype === 'student',
  mortgage: ({ type, subtype }) => type === 'loan' && subtype === 'mortgage',
}

/** The first open account for each part. */
function placesOf(accounts: readonly EvolvingAccount[]): Map<Role, number> {
  const places = new Map<Role, number>()
  for (const role of ['checking', 'savings', 'card', 'student', 'mortgage'] as const) {
    const index = accounts.findIndex((account) => !account.closed && isRole[role](account))
    if (index !== -1) places.set(role, index)
  }
  return places
}
