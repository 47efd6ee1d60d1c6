import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { compare, type Level } from './levels.ts'
import type { LoadGenerator } from './load.ts'
import { connections, type Pair } from './rounds.ts'
import { isService, type ServerName } from './server-names.ts'
import { median, shuffle } from './statistics.ts'

/** How long requests take that come at a part of what the server could do at most. */
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

export interface LatencyPace {
  rounds: number
  seconds: number
}

/** Measures at 70 % of what each did at most just before. */
export async function measureLatency(
  pairs: readonly Pair[],
  generator: LoadGenerator,
  { rounds, seconds }: LatencyPace,
  tell: (line: string) => void,
): Promise<Latency[]> {
  const found = new Map<Pair, { rate: number; p50: number; p99: number }[]>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const pair of shuffle(pairs)) {
      tell(`latency, round ${round} of ${rounds}: ${pair.server.name} ${pair.case.id}`)
      const rate = share * (await findMost(pair, generator, seconds))
      const { p50, p99 } = await paceAt(pair, generator, rate, seconds)
      found.set(pair, [...(found.get(pair) ?? []), { rate, p50, p99 }])
    }
  }
  return pairs.map((pair) => {
    const of = (name: 'rate' | 'p50' | 'p99') =>
      median((found.get(pair) ?? []).map((measured) => measured[name]))
    const [server, id] = [pair.server.name, pair.case.id]
    return { server, case: id, rate: of('rate'), p50: of('p50'), p99: of('p99') }
  })
}

export async function findMost(
  { server, requests }: Pair,
  generator: LoadGenerator,
  seconds: number,
) {
  const urls = server.programs.map(({ url }) => url)
  const load = { urls, connections, seconds, requests: await requests() }
  const { answered, seconds: took } = await generator.run(load)
  return answered / took
}

/** Requests at a rate to the first process of a server, none of which may fail. */
export async function paceAt(pair: Pair, generator: LoadGenerator, rate: number, seconds: number) {
  if (isService(pair.server.name)) await sleep(settleMs)
  const url = pair.server.programs[0]?.url ?? ''
  const paced = await generator.pace({ url, rate, seconds, requests: await pair.requests() })
  if (paced.failed === 0) return paced
  throw new Error(`${pair.server.name} ${pair.case.id}: ${paced.failed} of ${paced.sent} failed`)
}

const settleMs = 300

export function latencyLevels(rows: readonly Latency[]): Level[] {
  return rows
    .filter(({ server }) => server !== 'raw')
    .flatMap((row) => {
      const raw = rows.find((other) => other.server === 'raw' && other.case === row.case)
      const what = `${row.case} on ${row.server}, p99 at 70 %, × raw`
      return compare(what, row.p99, raw?.p99, { first: mostTimesRaw, atMost: true })
    })
}
