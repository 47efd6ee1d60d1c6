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

type Limits = Pick<Level, 'first' | 'second' | 'atMost'>
type Pair = readonly [first: number, second: number]

const reads: [sqlite: Pair, postgres: Pair] = [
  [0.5, 0.65],
  [0.4, 0.55],
]
const pages: typeof reads = [
  [0.4, 0.6],
  [0.25, 0.45],
]
const writes: typeof reads = [
  [0.4, 0.55],
  [0.22, 0.35],
]

/** Throughput as a part of raw's, of one process at 50 connections. */
const throughput: Partial<Record<Case['id'], typeof reads>> = {
  walletGet: reads,
  accountsGet: reads,
  transferGet: reads,
  transactionsSync: pages,
  transactionsGet: pages,
  institutionsSearch: [
    [0.3, 0.45],
    [0.25, 0.4],
  ],
  walletCreate: writes,
  userCreate: writes,
  protectEventSend: writes,
  oauthToken: [
    [0.35, 0.5],
    [0.22, 0.35],
  ],
}

/** The levels of throughput, where it was measured. */
export function throughputLevels(rows: readonly Throughput[]): Level[] {
  return Object.entries(throughput).flatMap(([id, [sqlite, postgres]]) => {
    const of = (server: ServerName) => rows.find((row) => row.server === server && row.case === id)
    const timesRaw = (server: ServerName, [first, second]: Pair) =>
      compare(`${id} on ${server}, × raw`, of(server)?.rate, of('raw')?.rate, { first, second })
    const ofTwo = [of('postgres-2')?.cpu, of('postgres')?.cpu] as const
    return [
      ...timesRaw('sqlite', sqlite),
      ...timesRaw('postgres', postgres),
      ...compare(`${id} on sqlite, × Prism`, of('sqlite')?.rate, of('prism')?.rate, { first: 10 }),
      ...compare(`${id}, CPU of two processes, × one`, ...ofTwo, { first: 1.15, atMost: true }),
    ]
  })
}

/** One figure over another, where both were measured; not rounded. */
export const compare = (
  what: string,
  ours: number | null | undefined,
  theirs: number | null | undefined,
  limits: Limits,
): Level[] => (ours == null || theirs == null ? [] : [{ what, value: ours / theirs, ...limits }])
