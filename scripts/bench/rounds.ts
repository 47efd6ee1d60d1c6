import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { type CpuTimes, cpuBetween } from './cpu.ts'
import type { Loaded, LoadGenerator, Sending } from './load.ts'
import { isService, type ServerName } from './server-names.ts'
import type { Server } from './servers.ts'
import { median, shuffle } from './statistics.ts'

/** What one server did in one case: medians over the rounds. */
export interface Throughput {
  server: ServerName
  case: Case['id']
  /** Answers a second. */
  rate: number
  /** CPU of the server for a request, in µs; null where the system does not tell. */
  cpu: number | null
  /** How much of that is the database's. */
  database: number | null
  /** In ms, at 50 connections. */
  p50: number
  p99: number
  /** Bytes of an answer, its head included. */
  bytes: number
  /** The part of a core that the load generator used. */
  generator: number
}

export interface Pace {
  rounds: number
  /** Of one measurement; about half of it for what only stands beside this service. */
  seconds: number
  warmUp: number
}

export interface Pair {
  server: Server
  case: Case
  requests(): Promise<Sending[]>
}

export const connections = 50

/** What the levels are about; the others only stand beside it. */
const isJudged = (name: ServerName): boolean => isService(name) || name === 'raw'

/** A mock takes its time for the first fifty answers. */
const shortest = 0.4
const longest = 10

/** For what a server still does when the load has ended, such as writing its request log. */
const settleMs = 200

type Measures = Omit<Throughput, 'server' | 'case'>

/** Loads every pair in every round, each round in an order of its own. */
export async function measureThroughput(
  pairs: readonly Pair[],
  generator: LoadGenerator,
  pace: Pace,
  tell: (line: string) => void,
): Promise<Throughput[]> {
  const found = new Map<Pair, Measures[]>()
  for (let round = 0; round <= pace.rounds; round += 1) {
    const seconds = round === 0 ? pace.warmUp : pace.seconds
    for (const [index, pair] of shuffle(pairs).entries()) {
      const name = round === 0 ? 'warm-up' : `round ${round} of ${pace.rounds}`
      tell(`${name}, ${index + 1} of ${pairs.length}: ${pair.server.name} ${pair.case.id}`)
      const measured = await measure(pair, generator, seconds)
      if (round > 0) found.set(pair, [...(found.get(pair) ?? []), measured])
    }
  }
  return pairs.map((pair) => ({
    server: pair.server.name,
    case: pair.case.id,
    ...medians(found.get(pair) ?? []),
  }))
}

async function measure(pair: Pair, generator: LoadGenerator, seconds: number): Promise<Measures> {
  const { server } = pair
  const urls = server.programs.map(({ url }) => url)
  const time = isJudged(server.name) ? seconds : Math.max(shortest, seconds / 2)
  const requests = await pair.requests()
  const before = await server.cpu()
  const loaded = await generator.run({ urls, connections, seconds: time, requests })
  if (isService(server.name)) await sleep(settleMs)
  const after = await server.cpu()
  const cpu = cpuBetween(before, after)
  const own = cpuBetween(before, ownOf(server, after))
  refuseFailures(pair, loaded)
  // On a busy machine nothing may come back in so short a time.
  if (loaded.answered === 0 && seconds < longest) return measure(pair, generator, seconds * 3)
  return {
    rate: loaded.answered / loaded.seconds,
    // What was under way at the end has been worked on, too.
    cpu: cpu === undefined ? null : (cpu / loaded.sent) * 1e6,
    database: cpu === undefined || own === undefined ? null : ((cpu - own) / loaded.sent) * 1e6,
    p50: loaded.p50,
    p99: loaded.p99,
    bytes: loaded.bytes / loaded.answered,
    generator: loaded.cpu / loaded.seconds,
  }
}

/** Without the processes of the database. */
const ownOf = ({ programs }: Server, times: CpuTimes): CpuTimes =>
  times && new Map([...times].filter(([pid]) => programs.some((program) => program.pid === pid)))

/** A server that answers anything but 200 was not measured. */
function refuseFailures({ server, case: { id } }: Pair, loaded: Loaded): void {
  const { 200: _, ...others } = loaded.statuses
  const statuses = Object.entries(others).map(([status, count]) => `${count} × ${status}`)
  const failures = [
    ...statuses,
    ...(loaded.failed > 0 ? [`${loaded.failed} without answer (${loaded.errors.join(', ')})`] : []),
  ]
  if (failures.length === 0) return
  throw new Error(`${server.name} ${id}: ${failures.join(', ')}, beside ${loaded.answered} × 200`)
}

/** Not rounded: figures are judged as they are, and rounded where they are shown. */
function medians(rounds: readonly Measures[]): Measures {
  const of = (name: keyof Measures) => median(rounds.map((round) => round[name] ?? NaN))
  const known = (name: 'cpu' | 'database') => (Number.isNaN(of(name)) ? null : of(name))
  return {
    rate: of('rate'),
    cpu: known('cpu'),
    database: known('database'),
    p50: of('p50'),
    p99: of('p99'),
    bytes: of('bytes'),
    generator: of('generator'),
  }
}
