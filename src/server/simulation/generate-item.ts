import type { AccountHistory } from './account-history.ts'
import { type AccountHead, accountsOn } from './accounts.ts'
import { type Day, toDay } from './calendar.ts'
import { findHistory } from './find-history.ts'
import type { ItemSpec, TransactionSpec } from './item-spec.ts'
import { type Movement, roles } from './movement.ts'
import { toPendingSpec, toPostedSpec } from './to-transaction-spec.ts'
import type { Country } from './towns.ts'

export interface ItemOptions {
  /** The last day of the history, as it is at its end. */
  anchor: string
  country: Country
  /** The holder; generated if omitted. */
  name?: string
  /** How many days of transactions there are, the anchor included. */
  days?: number
  /**
   * The first day on which the service saw the Item. Earlier pending transactions are not known to
   * it.
   */
  linkedOn?: string
}

const twoYears = 730

/** Returns an Item with six accounts and their history. The same arguments give the same Item. */
export function generateItem(seed: string, options: ItemOptions): ItemSpec {
  const { anchor, country, days = twoYears, linkedOn = anchor, ...rest } = options
  const history = findHistory(seed, country)
  const heads = accountsOn(seed, { ...rest, date: anchor, country })
  const day = toDay(anchor)
  const posted = history.postedBetween(day - days + 1, day)
  const pending = history.pendingOn(day)
  return { accounts: heads.map(withHistory) }

  function withHistory(head: AccountHead, index: number) {
    const isOnAccount = ({ role }: Movement): boolean => role === roles[index]
    const own = [posted.filter(isOnAccount), pending.filter(isOnAccount)] as const
    return { ...head, transactions: toHistory(history, ...own, toDay(linkedOn)) }
  }
}

/** The oldest first. */
function toHistory(
  { profile }: AccountHistory,
  posted: Movement[],
  pending: Movement[],
  linked: Day,
): TransactionSpec[] {
  return [
    ...posted.map((movement) => {
      const { posts, pendingUntil, seen } = movement
      const wasSeen = pendingUntil !== null && seen >= linked
      return toPostedSpec(profile, movement, posts ?? seen, wasSeen)
    }),
    ...pending.map((movement) => toPendingSpec(profile, movement)),
  ].sort(byDate)
}

const byDate = (a: TransactionSpec, b: TransactionSpec): number =>
  a.date < b.date ? -1 : Number(a.date > b.date)
