import type { SourceBalance, StatementIssue } from '../statement.ts'
import { fromMinor, sumOf } from '../values.ts'

export type Order = 'oldest_first' | 'newest_first'

/** A transaction with the balance after it, where the bank says that. */
interface BalancedRow {
  amount: string
  balance: string | undefined
  date: string
  line: number
}

/** One order in which the rows may stand, while they are read. */
interface Guess {
  /** The balance at the end of the file that the first rows lead to, and the latest ones. */
  first?: bigint
  latest?: bigint
  /** Whether a row before the first balance was lost. */
  isLate?: true
  /** Where the balances contradict each other. */
  wrong?: number
}

/** Follows the balances of one account, and finds in which order its rows stand. */
export function balanceChain(given?: Order) {
  const guesses: Record<Order, Guess> = { oldest_first: {}, newest_first: {} }
  let sum = 0n
  let days: { first: string; last: string } | undefined

  const follow = (guess: Guess, start: bigint, line: number): void => {
    if (guess.latest !== undefined && guess.latest !== start) guess.wrong ??= line
    guess.first ??= start
    guess.latest = start
  }
  const orderOf = (): Order => {
    if (given) return given
    const { oldest_first: oldest, newest_first: newest } = guesses
    const byDay = days && days.last < days.first ? 'newest_first' : 'oldest_first'
    if ((oldest.wrong === undefined) === (newest.wrong === undefined)) return byDay
    return oldest.wrong === undefined ? 'oldest_first' : 'newest_first'
  }
  return {
    add({ amount, balance, date, line }: BalancedRow): void {
      days = { first: days?.first ?? date, last: date }
      const before = sum
      sum += sumOf([amount])
      if (balance === undefined) return
      const held = sumOf([balance])
      // What the account held before the first row of the file, or after it.
      follow(guesses.oldest_first, held - sum, line)
      follow(guesses.newest_first, held + before, line)
    },
    /** A row that could not be read: the check starts again after it. */
    interrupt(): void {
      for (const guess of Object.values(guesses)) {
        if (guess.first === undefined) guess.isLate = true
        delete guess.latest
      }
    },
    end(currency: string): { balances: SourceBalance[]; issue?: StatementIssue } {
      const order = orderOf()
      const { first, latest, isLate, wrong } = guesses[order]
      if (wrong !== undefined) return { balances: [], issue: mismatch(wrong) }
      if (!days) return { balances: [] }
      const isOldest = order === 'oldest_first'
      const atFirst = isLate ? undefined : first
      const atLast = latest === undefined ? undefined : isOldest ? latest + sum : latest - sum
      const ends = [
        { minor: atFirst, date: days.first },
        { minor: atLast, date: days.last },
      ]
      const types = isOldest ? (['opening', 'closing'] as const) : (['closing', 'opening'] as const)
      const balances = ends.flatMap(({ minor, date }, index): SourceBalance[] => {
        const type = types[index] ?? 'closing'
        return minor === undefined ? [] : [{ type, amount: fromMinor(minor), currency, date }]
      })
      return { balances: isOldest ? balances : balances.reverse() }
    },
  }
}

const mismatch = (line: number): StatementIssue => ({
  line,
  code: 'BALANCE_MISMATCH',
  message: 'the balance is not that of the row before with this amount: a row may be missing',
})
