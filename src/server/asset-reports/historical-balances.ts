import type { HistoricalBalance } from '#contract/types.ts'
import type { AccountRow } from '../items/store.ts'
import { toAmount, toMinor } from '../kernel/money.ts'
import { addDays } from '../kernel/time.ts'

/** A posted transaction as far as a balance is concerned. */
export interface Movement {
  date: string
  amount: number
}

/**
 * The balance at the end of each day, newest first: the current one, with the posted transactions
 * taken back day by day. Credit and depository accounts only.
 */
export function toHistoricalBalances(
  account: AccountRow,
  movements: readonly Movement[],
  today: string,
  days: number,
): HistoricalBalance[] {
  if (account.type !== 'depository' && account.type !== 'credit') return []
  // Money that leaves lessens what is in an account, and adds to what is owed on a card.
  const sign = account.type === 'credit' ? -1 : 1
  const byDate = new Map<string, number>()
  for (const { date, amount } of movements) {
    byDate.set(date, (byDate.get(date) ?? 0) + sign * toMinor(amount))
  }
  let balance = account.current
  return Array.from({ length: days }, (_, index) => {
    const date = addDays(today, -index)
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
