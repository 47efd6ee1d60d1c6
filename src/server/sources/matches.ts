import { addDays } from '../kernel/time.ts'
import { readDocument } from '../transactions/transaction.ts'
import type { StagedRow } from './source-file.ts'
import type { NearRow } from './store.ts'
import { amountOf } from './to-transaction-spec.ts'

/** How many days a booking may take from pending to posted. */
export const windowDays = 10

/** The transactions of an account that rows without a known key may stand for. */
export interface Matches {
  /** The transaction that a row stands for; it is found for one row only. */
  find(row: StagedRow): NearRow | undefined
}

interface Candidate {
  row: NearRow
  amount: number
  text: string | null
  isUsed: boolean
}

type Test = (candidate: Candidate, row: StagedRow) => boolean

const isText: Test = ({ text }, row) => text === row.description
const isDate: Test = (candidate, row) => candidate.row.date === row.date
/** Another origin has told it, and this one has not. */
const isOfOthers: Test = (candidate) => candidate.row.known === 0
const isPending: Test = (candidate) => candidate.row.pending === 1
const isPosted: Test = (candidate) => candidate.row.pending === 0
const isEarlier: Test = ({ row }, { date }) =>
  row.date <= date && row.date >= addDays(date, -windowDays)
const isLater: Test = ({ row }, { date }) =>
  row.date >= date && row.date <= addDays(date, windowDays)
const isDirection: Test = ({ amount }, row) => amount < 0 === amountOf(row) < 0

/** What a row may stand for: what they have in common, and what else must hold. */
interface Rule {
  same: 'amount' | 'text'
  tests: readonly Test[]
}

const amount = (...tests: Test[]): Rule => ({ same: 'amount', tests })

/** The surest first. */
const rules: Readonly<Record<StagedRow['status'], readonly Rule[]>> = {
  posted: [
    amount(isPosted, isOfOthers, isDate, isText),
    amount(isPending, isEarlier, isText),
    amount(isPending, isEarlier),
    { same: 'text', tests: [isPending, isEarlier, isDirection] },
    amount(isPosted, isOfOthers, isDate),
  ],
  pending: [
    amount(isPending, isOfOthers, isDate),
    amount(isPosted, isLater, isText),
    amount(isPosted, isOfOthers, isLater),
  ],
}

/** Two posted rows of one origin are never one booking, so only those of others are found for them. */
export function createMatches(near: readonly NearRow[]): Matches {
  const candidates = near.map((row): Candidate => {
    const text = row.original_description
    return { row, amount: readDocument(row).amount, text, isUsed: false }
  })
  const groups = {
    amount: Map.groupBy(candidates, (candidate) => candidate.amount),
    text: Map.groupBy(candidates, ({ text }) => text),
  }
  return {
    find(row) {
      for (const { same, tests } of rules[row.status]) {
        const group =
          same === 'amount' ? groups.amount.get(amountOf(row)) : groups.text.get(row.description)
        const fits = (candidate: Candidate) =>
          !candidate.isUsed && tests.every((test) => test(candidate, row))
        const found = group?.find(fits)
        if (!found) continue
        found.isUsed = true
        return found.row
      }
      return undefined
    },
  }
}
