import type { HistoricalBalance } from '#contract/closed.ts'
import type { AccountRow } from '../items/account-store.ts'
import { toAmount, toMinor } from '../kernel/money.ts'
import { addDays } from '../kernel/time.ts'

/** The fields of a posted transaction that affect a balance. */
export interface Movement {
  date: string
  amount: number
}

/** Consecutive days, and the last of them. */
export interface Days {
  last: string
  count: number
}

/**
 * The balance at the end of each day, newest first. It starts with the current balance, which must be
 * that of the last day, and subtracts the posted transactions of each day. For credit and depository
 * accounts only.
 */
export function toHistoricalBalances(
  account: AccountRow,
  movements: readonly Movement[],
  { last, count }: Days,
): HistoricalBalance[] {
  if (account.type !== 'depository' && account.type !== 'credit') return []
  // An outflow decreases the balance of an account, and increases the debt of a card.
  const sign = account.type === 'credit' ? -1 : 1
  const byDate = new Map<string, number>()
  for (const { date, amount } of movements) {
    byDate.set(date, (byDate.get(date) ?? 0) + sign * toMinor(amount))
  }
  let balance = account.current
  return Array.from({ length: count }, (_, index) => {
    const date = addDays(last, -index)
    const shown = {
      date,
      current: toAmount(balance),
      iso_currency_code: account.iso_currency_code,
      unofficial_currency_code: account.unofficial_currency_code,
    } as HistoricalBalance
    balance += byDate.get(date) ?? 0
    return shown
  })
}
