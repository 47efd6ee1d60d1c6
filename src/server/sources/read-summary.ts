import {
  issueCodes,
  type SourceAccount,
  type StatementEvent,
  type StatementIssue,
} from '../../statements/statement.ts'
import { fromDecimal } from '../kernel/money.ts'
import { namesOf } from './account-numbers.ts'
import type { ReadNote } from './connector.ts'
import type { ReadStatement } from './statement-reader.ts'

/** What a file holds of an account. */
export interface ReadAccount {
  account: SourceAccount
  rows: number
  from: string | null
  to: string | null
  /** Whether the statement that makes the account tells its balance. */
  hasBalance: boolean
  currencies: string[]
}

/** What a file holds. */
export interface ReadSummary {
  accounts: ReadAccount[]
  notes: ReadNote[]
  /** How many notes there are beside those. */
  moreNotes: number
}

const mostNotes = 100

/** Adds up what a file holds, account by account. */
export function createSummary() {
  const accounts = new Map<string, ReadAccount>()
  const lacks: ReadNote[] = []
  let lostLines = 0
  return {
    see(event: StatementEvent): void {
      if (event.kind === 'issue' && issueCodes[event.issue.code].lost) lostLines += 1
    },
    /** Counts a statement. Returns it with the place of its account. */
    add(statement: ReadStatement): ReadStatement & { at: number } {
      const { account, count, days, balances, currencies } = statement
      const [name = ''] = namesOf(account)
      const known = accounts.get(name)
      const hasBalance = balances.some(({ type }) => type === 'closing')
      const one = known ?? {
        account,
        rows: 0,
        from: null,
        to: null,
        hasBalance,
        currencies: [],
      }
      accounts.set(name, one)
      one.rows += count
      one.from = earlier(one.from, days.from)
      one.to = later(one.to, days.to)
      one.currencies = [...new Set([...one.currencies, ...currencies])]
      // What the lines of the file do not explain.
      if (lostLines === 0 && !fits(statement)) lacks.push({ code: 'BALANCE_MISMATCH', lost: true })
      lostLines = 0
      return { ...statement, at: [...accounts.keys()].indexOf(name) }
    },
    end(issues: readonly StatementIssue[]): ReadSummary {
      const told = issues.filter(({ code }) => !isAsked(code))
      const all = [...told.map(toNote), ...lacks]
      return {
        accounts: [...accounts.values()],
        notes: all.slice(0, mostNotes),
        moreNotes: Math.max(0, all.length - mostNotes),
      }
    },
  }
}

/** Whether the balances fit the rows, whichever sign the file gives to what is owed. */
function fits({ balances, posted }: ReadStatement): boolean {
  const opening = balances.find((one) => one.type === 'opening')
  const closing = balances.findLast((one) => one.type === 'closing' && !one.interim)
  if (!opening || !closing) return true
  return Math.abs(posted) === Math.abs(fromDecimal(closing.amount) - fromDecimal(opening.amount))
}

/** What the page asks for instead of telling it. */
const isAsked = (code: string): boolean => code === 'UNKNOWN_ACCOUNT' || code === 'UNKNOWN_CURRENCY'

const toNote = ({ line, code }: StatementIssue): ReadNote => ({
  ...(line === undefined ? {} : { line }),
  code,
  lost: issueCodes[code].lost,
})

const earlier = (one: string | null, other: string): string | null =>
  other === '' || (one !== null && one < other) ? one : other

const later = (one: string | null, other: string): string | null =>
  other === '' || (one !== null && one > other) ? one : other
