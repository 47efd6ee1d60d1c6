import { toDate } from '../kernel/time.ts'

/** What a program asks for. */
export interface Asked {
  /** In seconds since 1970. Rows of `end` itself are left out. */
  start: number
  end: number
  hasPending: boolean
  balancesOnly: boolean
  /** All accounts, if empty. */
  accounts: readonly string[]
}

/** A parameter that is wrong. */
export class WrongParameter extends Error {
  override readonly name = 'WrongParameter'
}

const latest = Date.parse('2999-12-31T00:00:00Z') / 1000
const mostAccounts = 100

/** Reads the parameters of `/accounts`. @throws WrongParameter */
export function readAsked(query: URLSearchParams): Asked {
  const accounts = [...new Set(query.getAll('account').filter((id) => id !== ''))]
  if (accounts.length > mostAccounts) {
    throw new WrongParameter(`\`account\` must name at most ${mostAccounts} accounts`)
  }
  return {
    start: readTime(query, 'start-date', 0),
    end: readTime(query, 'end-date', latest),
    hasPending: query.get('pending') === '1',
    balancesOnly: query.get('balances-only') === '1',
    accounts,
  }
}

function readTime(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name)
  if (text === null || text === '') return byDefault
  const time = Number(text)
  if (/^\d{1,12}$/.test(text) && time <= latest) return time
  throw new WrongParameter(`\`${name}\` must be a time in seconds since 1970`)
}

/** The days in which such rows are, in UTC. */
export const daysOf = ({ start, end }: Pick<Asked, 'start' | 'end'>) => ({
  from: toDay(start),
  to: toDay(end),
})

const toDay = (seconds: number): string => toDate(new Date(seconds * 1000).toISOString())
