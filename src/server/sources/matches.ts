import { addDays } from '../kernel/time.ts'
import { readDocument } from '../transactions/transaction.ts'
import { cleanName } from './clean-name.ts'
import { isOtherForm } from './forms.ts'
import type { StagedRow } from './source-file.ts'
import type { NearRow } from './store.ts'
import { areRelated, wordsOf } from './texts.ts'
import { amountOf } from './to-transaction-spec.ts'

/** How many days a booking may take from pending to posted. */
export const windowDays = 10

/** A row that its origin has not told before. */
export interface OpenRow {
  row: StagedRow
  form: number
  /** Whether it is a posted row whose pending transaction is known by its key. */
  isPosting: boolean
  /** The keys of its references. */
  references: readonly string[]
}

/** A transaction that such rows may stand for. */
export interface NearTransaction {
  row: NearRow
  references: readonly string[]
  /** Whether its origin tells it now: then only rows of others may be the same booking. */
  isTold: boolean
}

/** What a row stands for. */
export interface Match {
  /** Undefined for a booking of its own. */
  found: NearRow | undefined
  /** Whether another booking of its amount and day is there that may be the same one. */
  isDoubtful: boolean
}

/** What rows and transactions are compared by. */
interface Facts {
  date: string
  amount: number
  text: string
  /** The words of the text, and those of the name that it tells. */
  words: () => readonly string[]
  name: () => string
  references: readonly string[]
}

interface Candidate extends Facts {
  near: NearTransaction
  isUsed: boolean
}

interface Searched extends Facts {
  form: number
  isPosting: boolean
}

/** Finds what rows stand for, each transaction for one row only. */
export function findMatches<Row extends OpenRow>(
  rows: readonly Row[],
  near: readonly NearTransaction[],
): Map<Row, Match> {
  const matches = new Map<Row, Match>()
  const candidates = near.map(toCandidate)
  for (const status of ['posted', 'pending'] as const) {
    let open = rows
      .filter(({ row }) => row.status === status)
      .map((row) => [row, factsOf(row)] as const)
    // By rule first: else a row could take by its amount alone what the text of a later one tells.
    for (const rule of rules[status]) {
      const find = finder(candidates, rule)
      open = open.filter(([row, facts]) => {
        const candidate = find(facts)
        if (!candidate) return true
        candidate.isUsed = true
        const { stands = false, isDoubtful = stands } = rule
        matches.set(row, { found: stands ? undefined : candidate.near.row, isDoubtful })
        return false
      })
    }
  }
  return matches
}

const toCandidate = (near: NearTransaction): Candidate => {
  const { amount, name } = readDocument(near.row)
  const text = near.row.original_description ?? ''
  const { references } = near
  return {
    ...toFacts({ date: near.row.date, amount, text, name, references }),
    near,
    isUsed: false,
  }
}

const factsOf = ({ row, form, isPosting, references }: OpenRow): Searched => {
  const { date, description: text, counterparty } = row
  const { name } = cleanName(counterparty ?? text)
  return { ...toFacts({ date, amount: amountOf(row), text, name, references }), form, isPosting }
}

function toFacts({ name, ...facts }: Omit<Facts, 'words' | 'name'> & { name: string }): Facts {
  return {
    ...facts,
    words: once(() => wordsOf(facts.text)),
    name: once(() => wordsOf(name).join(' ')),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What a row and its transaction have in common, as the keys of an index. */
const commons = {
  booking: ({ date, amount, text }: Facts) => [`${date} ${amount} ${text}`],
  day: ({ date, amount }: Facts) => [`${date} ${amount}`],
  amount: ({ amount }: Facts) => [String(amount)],
  text: ({ text }: Facts) => (text === '' ? [] : [text]),
  name: ({ name }: Facts) => (name() === '' ? [] : [name()]),
  reference: ({ references }: Facts) => references,
}

type Test = (candidate: Candidate, row: Searched) => boolean

const isText: Test = ({ text }, row) => text === row.text
const isRelated: Test = ({ words }, row) => areRelated(words(), row.words())
const isName: Test = ({ name }, row) => name() !== '' && name() === row.name()
/** Another origin has told it, and this one has not. */
const isOfOthers: Test = ({ near }) => near.row.forms === 0
/** Or this origin has told it in another form. */
const isOpen: Test = ({ near }, { form }) =>
  near.row.forms === 0 || (!near.isTold && isOtherForm(near.row.forms, form))
const isPending: Test = ({ near }, { isPosting }) => near.row.pending === 1 && !isPosting
const isPosted: Test = ({ near }) => near.row.pending === 0
const isEarlier: Test = (candidate, { date }) =>
  candidate.date <= date && candidate.date >= addDays(date, -windowDays)
const isLater: Test = (candidate, { date }) =>
  candidate.date >= date && candidate.date <= addDays(date, windowDays)
const isDay: Test = ({ date, amount }, row) => date === row.date && amount === row.amount
const isDirection: Test = ({ amount }, row) => amount < 0 === row.amount < 0

interface Rule {
  common: keyof typeof commons
  tests: readonly Test[]
  isDoubtful?: true
  /** Whether the row stays a booking of its own. */
  stands?: true
}

/**
 * The surest first. Amount and day alone never make two posted rows one: their texts, or the names
 * that these tell, must have something in common.
 */
const rules: Readonly<Record<StagedRow['status'], readonly Rule[]>> = {
  posted: [
    { common: 'booking', tests: [isPosted, isOpen] },
    { common: 'reference', tests: [isPosted, isOpen, isDay] },
    { common: 'reference', tests: [isPending, isEarlier, isDirection] },
    { common: 'amount', tests: [isPending, isEarlier, isText] },
    { common: 'day', tests: [isPosted, isOpen, isRelated] },
    { common: 'amount', tests: [isPending, isEarlier, isRelated] },
    { common: 'day', tests: [isPosted, isOfOthers, isName], isDoubtful: true },
    { common: 'amount', tests: [isPending, isEarlier, isName] },
    { common: 'text', tests: [isPending, isEarlier, isDirection] },
    { common: 'name', tests: [isPending, isEarlier, isDirection] },
    { common: 'amount', tests: [isPending, isEarlier] },
    { common: 'day', tests: [isPosted, isOpen], stands: true },
  ],
  pending: [
    { common: 'booking', tests: [isPending, isOpen] },
    { common: 'amount', tests: [isPosted, isLater, isText] },
    { common: 'reference', tests: [isPosted, isLater, isDirection] },
    { common: 'day', tests: [isPending, isOpen, isRelated] },
    { common: 'amount', tests: [isPosted, isOfOthers, isLater, isRelated] },
    { common: 'day', tests: [isPending, isOfOthers, isName], isDoubtful: true },
    { common: 'amount', tests: [isPosted, isOfOthers, isLater] },
    { common: 'day', tests: [isPending, isOpen], stands: true },
  ],
}

/** Finds by a rule, in an index that is made for it. */
function finder(candidates: readonly Candidate[], { common, tests }: Rule) {
  const index = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.isUsed) continue
    for (const key of commons[common](candidate)) {
      const group = index.get(key)
      if (group) group.push(candidate)
      else index.set(key, [candidate])
    }
  }
  return (row: Searched): Candidate | undefined => {
    const fits = (candidate: Candidate) =>
      !candidate.isUsed && tests.every((test) => test(candidate, row))
    for (const key of commons[common](row)) {
      const found = index.get(key)?.find(fits)
      if (found) return found
    }
    return undefined
  }
}
