import type { Case } from './cases.ts'
import type { Throughput } from './rounds.ts'
import type { ServerName } from './server-names.ts'

/** What a figure has to reach, and what it is aimed at. */
export interface Level {
  what: string
  value: number
  first: number
  second?: number
  /** Whether less is better. */
  atMost?: boolean
}

export type Verdict = 'aim reached' | 'reached' | 'missed'

export function judge({ value, first, second, atMost = false }: Level): Verdict {
  const holds = (limit: number) => (atMost ? value <= limit : value >= limit)
  if (!holds(first)) return 'missed'
  return second !== undefined && holds(second) ? 'aim reached' : 'reached'
}

/** The value as it is shown: with so many digits that it is not taken for the limit beside it. */
export const showValue = ({ value }: Level): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : 1 })

type Pair = readonly [first: number, second: number]

interface Group {
  cases: readonly Case['id'][]
  sqlite: Pair
  postgres: Pair
}

/** Throughput as a part of raw's, of one process at 50 connections. */
const groups: readonly Group[] = [
  {
    cases: ['walletGet', 'accountsGet', 'transferGet'],
    sqlite: [0.5, 0.65],
    postgres: [0.4, 0.55],
  },
  { cases: ['transactionsSync', 'transactionsGet'], sqlite: [0.4, 0.6], postgres: [0.25, 0.45] },
  { cases: ['institutionsSearch'], sqlite: [0.3, 0.45], postgres: [0.25, 0.4] },
  {
    cases: ['walletCreate', 'userCreate', 'protectEventSend'],
    sqlite: [0.4, 0.55],
    postgres: [0.22, 0.35],
  },
  { cases: ['oauthToken'], sqlite: [0.35, 0.5], postgres: [0.22, 0.35] },
]

const timesPrism = 10
const twoProcesses = 1.15

/** The levels of all that was measured of throughput. */
export function throughputLevels(rows: readonly Throughput[]): Level[] {
  const find = (server: ServerName, id: Case['id']) =>
    rows.find((row) => row.server === server && row.case === id)
  return groups.flatMap((group) =>
    group.cases.flatMap((id) => {
      const level = (server: 'sqlite' | 'postgres', [first, second]: Pair): Level[] =>
        compare(`${id} on ${server}, × raw`, find(server, id)?.rate, find('raw', id)?.rate, {
          first,
          second,
        })
      return [
        ...level('sqlite', group.sqlite),
        ...level('postgres', group.postgres),
        ...compare(`${id} on sqlite, × Prism`, find('sqlite', id)?.rate, find('prism', id)?.rate, {
          first: timesPrism,
        }),
        ...compare(
          `${id}, CPU of two processes, × one`,
          find('postgres-2', id)?.cpu,
          find('postgres', id)?.cpu,
          { first: twoProcesses, atMost: true },
        ),
      ]
    }),
  )
}

type Limits = Pick<Level, 'first' | 'second' | 'atMost'>

/** One figure over another, where both were measured; not rounded. */
export function compare(
  what: string,
  ours: number | null | undefined,
  theirs: number | null | undefined,
  limits: Limits,
): Level[] {
  if (ours == null || theirs == null) return []
  return [{ what, value: ours / theirs, ...limits }]
}
