import type { Case } from './cases.ts'
import { compare, type Level } from './levels.ts'
import type { LoadGenerator } from './load.ts'
import { load, measurePairs, type Pair, rateOf } from './rounds.ts'
import type { ServerName } from './server-names.ts'

/** How long requests take at a part of the most that the server can do. */
export interface Latency {
  server: ServerName
  case: Case['id']
  /** Requests a second. */
  rate: number
  /** In ms since each was due. */
  p50: number
  p99: number
}

export const latencyServers: readonly ServerName[] = ['raw', 'sqlite', 'postgres']
export const latencyCases: readonly Case['id'][] = ['walletGet', 'walletCreate']

const share = 0.7
const mostTimesRaw = 3

/** Measures at 70 % of the most that each did just before. */
export async function measureLatency(
  pairs: readonly Pair[],
  generator: LoadGenerator,
  { rounds, seconds }: { rounds: number; seconds: number },
  tell: (line: string) => void,
): Promise<Latency[]> {
  return measurePairs(pairs, rounds, tell, async (pair) => {
    const rate = share * rateOf(await load(pair, generator, seconds))
    const { p50, p99 } = await load(pair, generator, seconds, rate)
    return { rate, p50, p99 }
  })
}

export const latencyLevels = (rows: readonly Latency[]): Level[] =>
  rows
    .filter(({ server }) => server !== 'raw')
    .flatMap((row) => {
      const raw = rows.find((other) => other.server === 'raw' && other.case === row.case)
      const what = `${row.case} on ${row.server}, p99 at 70 %, × raw`
      return compare(what, row.p99, raw?.p99, { first: mostTimesRaw, atMost: true })
    })
