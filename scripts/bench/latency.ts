import type { Case } from './cases.ts'
import { compareSpread, type Level } from './levels.ts'
import type { LoadGenerator } from './load.ts'
import { inRounds, load, mediansOf, rateOf, type Target } from './rounds.ts'
import type { ServerName } from './server-names.ts'
import { type Spread, spreadOf } from './statistics.ts'

/** How long requests take at a part of the most that the server can do. */
export interface Latency {
  server: ServerName
  case: Case['id']
  /** Requests a second. */
  rate: number
  /** In ms since each was due. */
  p50: number
  p99: number
  /** The p99 as a multiple of raw's in the same round. */
  ofRaw?: Spread
}

export const latencyServers: readonly ServerName[] = ['raw', 'sqlite', 'postgres']
export const latencyCases: readonly Case['id'][] = ['walletGet', 'walletCreate']

const share = 0.7
const mostTimesRaw = 3

/** Measures at 70 % of the most that each did just before. */
export async function measureLatency(
  targets: readonly Target[],
  generator: LoadGenerator,
  { rounds, seconds }: { rounds: number; seconds: number },
  tell: (line: string) => void,
): Promise<Latency[]> {
  const found = await inRounds(targets, rounds, tell, async (target) => {
    const rate = share * rateOf(await load(target, generator, seconds))
    const { p50, p99 } = await load(target, generator, seconds, rate)
    return { rate, p50, p99 }
  })
  return targets.map((target) => {
    const { name: server } = target.server
    const raw = targets.find((one) => one.server.name === 'raw' && one.case === target.case)
    const [own = [], theirs = []] = [found.get(target), raw && found.get(raw)]
    const ratios = own.map(({ p99 }, round) => p99 / (theirs[round]?.p99 ?? NaN))
    const isCompared = server !== 'raw' && raw !== undefined
    return {
      server,
      case: target.case.id,
      ...mediansOf(own),
      ...(isCompared && { ofRaw: spreadOf(ratios) }),
    }
  })
}

export const latencyLevels = (rows: readonly Latency[]): Level[] =>
  rows.flatMap((row) => {
    const what = `${row.case} on ${row.server}, p99 at 70 %, × raw`
    return compareSpread(what, row.ofRaw, { first: mostTimesRaw, atMost: true })
  })
