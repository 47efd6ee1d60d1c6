import type { Case } from './cases.ts'
import { cpuBetween } from './cpu.ts'
import type { LoadGenerator } from './load.ts'
import { load, mediansOf, rateOf, type Target } from './rounds.ts'
import { isService, type ServerName } from './server-names.ts'
import { type Spread, shuffle, spreadOf } from './statistics.ts'

/** What one server did in one case: medians of its measurements. */
export interface Throughput extends Measures {
  server: ServerName
  case: Case['id']
  /** As a part of raw, and of the floor. */
  ofRaw?: Ratios
  ofFloor?: Ratios
  /** The CPU of a request on two processes, as a multiple of that on one. */
  ofOne?: Spread
}

/** A server as a part of another one, which was measured right before and right after it. */
export interface Ratios {
  /** Requests for a second of CPU. Not there where the system does not report CPU. */
  perCpu?: Spread
  /** Requests a second. */
  rate: Spread
}

interface Measures {
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

export interface Pace {
  /** How often a service is measured in each case. */
  pairs: number
  /** Of one measurement. */
  seconds: number
  warmUp: number
}

/** What each of the others is compared with. */
export const references = ['raw', 'floor'] as const satisfies ServerName[]
type Reference = (typeof references)[number]
type References = Partial<Record<Reference, Measures>>

/** One measurement of a server, between two of the references. */
interface Between {
  own: Measures
  before: References
  after: References
}

/** A mock has a level of ten times, which a few measurements show. */
const fewPairs = 2
/** A service has more code that the engine compiles while it runs. */
const warmUpOf = ({ server }: Target, { warmUp }: Pace): number =>
  isService(server.name) ? 3 * warmUp : warmUp
const shortestOfMock = 0.4

interface Run {
  generator: LoadGenerator
  pace: Pace
  tell: (line: string) => void
}

/** Loads each server in each case, again and again, and the references before and after each time. */
export async function measureThroughput(
  targets: readonly Target[],
  generator: LoadGenerator,
  pace: Pace,
  tell: (line: string) => void,
): Promise<Throughput[]> {
  const rows: Throughput[] = []
  for (const own of Map.groupBy(targets, (target) => target.case.id).values()) {
    rows.push(...(await measureCase(own, { generator, pace, tell })))
  }
  return rows
}

async function measureCase(targets: readonly Target[], run: Run): Promise<Throughput[]> {
  const { generator, pace, tell } = run
  for (const target of targets) await measure(target, generator, warmUpOf(target, pace))
  const compared = targets.filter(({ server }) => isReference(server.name))
  const others = targets.filter((target) => !compared.includes(target))
  const found = new Map<Target, Between[]>(others.map((target) => [target, []]))
  const all = [await measureReferences(compared, run)]
  for (let pair = 1; pair <= pace.pairs; pair += 1) {
    for (const target of shuffle(others.filter((one) => pair <= pairsOf(one, pace)))) {
      tell(`${target.name}, ${pair} of ${pairsOf(target, pace)}`)
      const own = await measure(target, generator, secondsOf(target, pace))
      const [before = {}, after] = [all.at(-1), await measureReferences(compared, run)]
      all.push(after)
      found.get(target)?.push({ own, before, after })
    }
  }
  const ofOne = compareWithOne(found)
  return targets.map((target) => {
    const { name } = target.server
    const row = { server: name, case: target.case.id }
    if (isReference(name)) return { ...row, ...mediansOf(all.flatMap((one) => one[name] ?? [])) }
    const times = found.get(target) ?? []
    return {
      ...row,
      ...mediansOf(times.map(({ own }) => own)),
      ...ratiosTo('ofRaw', times, 'raw'),
      ...ratiosTo('ofFloor', times, 'floor'),
      ...(name === 'postgres-2' && ofOne && { ofOne }),
    }
  })
}

const isReference = (name: ServerName): name is Reference =>
  (references as readonly ServerName[]).includes(name)

const pairsOf = ({ server }: Target, { pairs }: Pace): number =>
  isService(server.name) ? pairs : Math.min(pairs, fewPairs)

const secondsOf = ({ server }: Target, { seconds }: Pace): number =>
  isService(server.name) ? seconds : Math.max(shortestOfMock, seconds)

async function measureReferences(
  compared: readonly Target[],
  { generator, pace }: Run,
): Promise<References> {
  const found: References = {}
  for (const target of shuffle(compared)) {
    const { name } = target.server
    if (isReference(name)) found[name] = await measure(target, generator, pace.seconds)
  }
  return found
}

/** Loads a target as fast as it can, and measures what that costs. */
export async function measure(
  target: Target,
  generator: LoadGenerator,
  seconds: number,
): Promise<Measures> {
  const { server } = target
  const before = await server.cpu()
  const sent = await load(target, generator, seconds)
  const after = await server.cpu()
  const isOwn = (pid: number) => server.programs.some((program) => program.pid === pid)
  const own = after && new Map([...after].filter(([pid]) => isOwn(pid)))
  const perRequest = (used: number | undefined) =>
    used === undefined ? null : (used / sent.sent) * 1e6
  const cpu = perRequest(cpuBetween(before, after))
  const ofPrograms = perRequest(cpuBetween(before, own))
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

/** Each measurement over the mean of the reference before and after it. */
function ratiosTo(
  name: 'ofRaw' | 'ofFloor',
  times: readonly Between[],
  reference: Reference,
): Pick<Throughput, typeof name> {
  const ratios = (figure: 'rate' | 'cpu') =>
    times.flatMap(({ own, before, after }) => {
      const [one, other] = [before[reference]?.[figure], after[reference]?.[figure]]
      const value = own[figure]
      return one == null || other == null || value == null ? [] : [value / ((one + other) / 2)]
    })
  const [rates, costs] = [ratios('rate'), ratios('cpu')]
  if (rates.length === 0) return {}
  const perCpu = costs.length === 0 ? {} : { perCpu: spreadOf(costs.map((cost) => 1 / cost)) }
  return { [name]: { rate: spreadOf(rates), ...perCpu } }
}

/** The n-th measurement of two processes beside the n-th of one: both are of one round. */
function compareWithOne(found: ReadonlyMap<Target, readonly Between[]>): Spread | undefined {
  const costsOf = (name: ServerName) =>
    [...found].find(([{ server }]) => server.name === name)?.[1].map(({ own }) => own.cpu) ?? []
  const one = costsOf('postgres')
  const ratios = costsOf('postgres-2').flatMap((two, index) => {
    const single = one[index]
    return two === null || single == null ? [] : [two / single]
  })
  return ratios.length === 0 ? undefined : spreadOf(ratios)
}
