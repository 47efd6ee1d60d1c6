import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { cpuBetween } from './cpu.ts'
import { type LoadGenerator, requireSuccess } from './load.ts'
import type { Sending, Sent } from './send.ts'
import { isService, type ServerName } from './server-names.ts'
import type { Server } from './servers.ts'
import { median, shuffle } from './statistics.ts'

/** What one server did in one case: medians over the rounds. */
export interface Throughput {
  server: ServerName
  case: Case['id']
  /** Successful responses a second. */
  rate: number
  /** CPU of the server for a request, in µs; null where the system does not report it. */
  cpu: number | null
  /** How much of that is the database's. */
  database: number | null
  /** In ms, at 50 connections. */
  p50: number
  p99: number
  /** Bytes of a response, its head included. */
  bytes: number
  /** The part of a core that the load generator used. */
  generator: number
}

interface Pace {
  rounds: number
  /** Of one measurement; half of it for servers without a level. */
  seconds: number
  warmUp: number
}

/** One case on one server. */
export interface Pair {
  name: string
  server: Server
  case: Case
  requests(): Promise<Sending[]>
}

/** A mock needs some time for its first fifty responses. */
const shortest = 0.4
/** For what a server still does when the load has ended, such as writing its request log. */
const settleMs = 300

type Measures = Omit<Throughput, 'server' | 'case'>

/** Loads every pair in every round, each round in a random order. */
export async function measureThroughput(
  pairs: readonly Pair[],
  generator: LoadGenerator,
  pace: Pace,
  tell: (line: string) => void,
): Promise<Throughput[]> {
  await inRounds(pairs, 1, tell, (pair) => measure(pair, generator, pace.warmUp))
  return measurePairs(pairs, pace.rounds, tell, (pair) => measure(pair, generator, pace.seconds))
}

/** Measures every pair once a round; the medians. */
export async function measurePairs<Found extends object>(
  pairs: readonly Pair[],
  rounds: number,
  tell: (line: string) => void,
  measureOne: (pair: Pair) => Promise<Found>,
) {
  const found = await inRounds(pairs, rounds, tell, measureOne)
  return [...found].map(
    ([
      {
        server,
        case: { id },
      },
      all,
    ]) => {
      return { server: server.name, case: id, ...mediansOf(all) }
    },
  )
}

/** Measures everything once a round, in a random order. */
export async function inRounds<Item extends { name: string }, Found>(
  items: readonly Item[],
  rounds: number,
  tell: (line: string) => void,
  measureOne: (item: Item) => Promise<Found>,
): Promise<Map<Item, Found[]>> {
  const found = new Map<Item, Found[]>(items.map((item) => [item, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, item] of shuffle(items).entries()) {
      tell(`round ${round} of ${rounds}, ${index + 1} of ${items.length}: ${item.name}`)
      found.get(item)?.push(await measureOne(item))
    }
  }
  return found
}

/** The median of each figure; null where one was not measured. Not rounded: levels judge it. */
export function mediansOf<Figures extends object>(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
  const middle = (name: keyof Figures) => {
    const values = all.flatMap((one) => (one[name] === null ? [] : [Number(one[name])]))
    return values.length === all.length ? median(values) : null
  }
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Figures
}

/** Loads a pair at a rate, or without one with 50 connections; all requests have to succeed. */
export async function load(
  pair: Pair,
  generator: LoadGenerator,
  seconds: number,
  rate?: number,
): Promise<Sent> {
  const { server } = pair
  const urls = server.programs.map(({ url }) => url)
  const requests = await pair.requests()
  const sent = await generator.send(
    rate === undefined
      ? { urls, requests, seconds, connections: 50 }
      : { urls: urls.slice(0, 1), requests, seconds, rate, connections: 100 },
  )
  if (isService(server.name)) await sleep(settleMs)
  requireSuccess(pair.name, sent)
  return sent
}

export const rateOf = ({ statuses, seconds }: Sent): number => (statuses[200] ?? 0) / seconds

async function measure(pair: Pair, generator: LoadGenerator, seconds: number): Promise<Measures> {
  const { server } = pair
  const hasLevels = isService(server.name) || server.name === 'raw'
  const before = await server.cpu()
  const sent = await load(pair, generator, hasLevels ? seconds : Math.max(shortest, seconds / 2))
  const after = await server.cpu()
  const own =
    after && new Map([...after].filter(([pid]) => server.programs.some((one) => one.pid === pid)))
  const perRequest = (used: number | undefined) =>
    used === undefined ? null : (used / sent.sent) * 1e6
  const [cpu, ofPrograms] = [cpuBetween(before, after), cpuBetween(before, own)].map(
    perRequest,
  ) as [number | null, number | null]
  return {
    rate: rateOf(sent),
    cpu,
    database: cpu === null || ofPrograms === null ? null : cpu - ofPrograms,
    p50: sent.p50,
    p99: sent.p99,
    bytes: sent.bytes / sent.sent,
    generator: sent.cpu / sent.seconds,
  }
}
