import { toDay } from './calendar.ts'
import { findHistory } from './find-history.ts'
import type { AccountSpec, TransactionSpec } from './item-spec.ts'
import type { Movement, Role } from './movement.ts'
import { countryOf } from './profile.ts'
import { pendingIdOf, toPendingSpec, toPostedSpec } from './to-transaction-spec.ts'

/** The fields of an account that identify its role in the history. */
type EvolvingAccount = Pick<AccountSpec, 'type' | 'subtype' | 'balances' | 'closed'>

export interface AddedTransaction {
  /** The account's index in the given list. */
  account: number
  transaction: TransactionSpec
}

export interface RemovedTransaction {
  account: number
  transaction_id: string
  /** Whether a posted transaction replaces it. Otherwise it was dropped. */
  replaced: boolean
}

/** The changes of a day, in the order in which they must be written. */
interface DayChanges {
  removed: RemovedTransaction[]
  added: AddedTransaction[]
}

/**
 * Returns the changes of a day after the anchor. New card payments are pending. Those of the last
 * days post under new ids, or are dropped. All other movements post immediately.
 *
 * `generateItem` reads the same history. The history depends only on seed and country, and treats
 * all dates alike. So evolving an Item generated at day D through D + 1 … D + n gives the same
 * transactions and ids as generating it at D + n with the same start. Only `pending_transaction_id`
 * differs, since it refers to pending transactions that the service has seen.
 *
 * Request each day once, in order. To update balances, add up the posted transactions: subtract
 * `amount` for depository accounts, and add it for debts.
 *
 * The type and subtype of an account determine its role, and its currency the country. Movements of
 * a role without an account are left out, as if the account were at another bank.
 */
export function evolveDay(
  seed: string,
  accounts: readonly EvolvingAccount[],
  date: string,
): DayChanges {
  const day = toDay(date)
  const places = placesOf(accounts)
  const history = findHistory(seed, countryOf(mainCurrency(accounts)))
  const { profile } = history
  const placed = (movements: Movement[]) =>
    movements.flatMap((movement) => {
      const account = places.get(movement.role)
      return account === undefined ? [] : [{ account, movement }]
    })
  return {
    removed: placed(history.endingOn(day)).map(({ account, movement }) => ({
      account,
      transaction_id: pendingIdOf(profile, movement),
      replaced: movement.posts !== null,
    })),
    added: [
      ...placed(history.postedBetween(day, day)).map(({ account, movement }) => ({
        account,
        transaction: {
          ...toPostedSpec(profile, movement, day, movement.pendingUntil !== null),
          ...currencyOf(accounts[account]),
        },
      })),
      ...placed(history.pendingFrom(day)).map(({ account, movement }) => ({
        account,
        transaction: { ...toPendingSpec(profile, movement), ...currencyOf(accounts[account]) },
      })),
    ],
  }
}

const mainCurrency = (accounts: readonly EvolvingAccount[]): string | null =>
  accounts.find(({ balances }) => balances.iso_currency_code !== null)?.balances
    .iso_currency_code ?? null

/** An account keeps its currency, whatever the country of the history is. */
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

/** The first open account for each role. */
function placesOf(accounts: readonly EvolvingAccount[]): Map<Role, number> {
  const places = new Map<Role, number>()
  for (const role of ['checking', 'savings', 'card', 'student', 'mortgage'] as const) {
    const index = accounts.findIndex((account) => !account.closed && isRole[role](account))
    if (index !== -1) places.set(role, index)
  }
  return places
}
