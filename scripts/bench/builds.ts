import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn } from '../diff/base.ts'
import type { Case } from './cases.ts'
import { readMemory } from './cpu.ts'
import { createDatabase } from './database.ts'
import type { LoadGenerator } from './load.ts'
import { openInspector, profileAt, type Share } from './profile.ts'
import { load, type Target } from './rounds.ts'
import { type Server, startServices, toServer } from './servers.ts'
import type { Stage } from './stage.ts'
import { median, type Spread, spreadOf } from './statistics.ts'
import { measure, type Pace } from './throughput.ts'

// This build beside an older one, in turns.

type Name = 'sqlite' | 'postgres'
type Build = 'before' | 'now'
const builds = ['before', 'now'] as const satisfies Build[]

export interface Builds {
  /** The commit of the older build. */
  commit: string
  rows: BuildRow[]
  memory: MemoryRow[]
}

interface BuildRow {
  server: Name
  case: Case['id']
  /** CPU of a request in µs, the database's too; medians. */
  before: number
  now: number
  /** The second over the first, by pairs. */
  ratio: Spread
}

/** Resident memory in MB after all this load. */
interface MemoryRow {
  server: Name
  before: number
  now: number
}

/** Where the time of a core goes, of an operation on SQLite; the greatest shares. */
export interface Profiles {
  commit: string
  rows: { case: Case['id']; build: Build; shares: readonly Share[] }[]
}

/** An older checkout with its build. */
export interface Older {
  dist: string
  commit: string
}

export function readOlder(folder: string): Older {
  const dist = join(folder, 'dist')
  if (!existsSync(join(dist, 'src/server/main.js'))) {
    throw new Error(`--before: there is no build in ${dist}; \`npm run build\` there makes one`)
  }
  return { dist, commit: gitIn(folder)('rev-parse', '--short', 'HEAD').trim() }
}

interface Run {
  stage: Stage
  older: Older
  cases: readonly Case[]
  generator: LoadGenerator
  pace: Pace
  tell: (line: string) => void
  /** The requests of a case on a server. */
  targetOf(server: Server, one: Case): Target
}

const stageOf = ({ stage, older }: Run, build: Build): Stage =>
  build === 'now' ? stage : { ...stage, dist: older.dist, folder: join(stage.folder, 'before') }

export async function measureBuilds(run: Run): Promise<Builds> {
  const found: Builds = { commit: run.older.commit, rows: [], memory: [] }
  for (const name of ['sqlite', 'postgres'] as const) {
    if (name === 'postgres' && !(await run.stage.database())) continue
    const { rows, memory } = await measureOn(name, run)
    found.rows.push(...rows)
    found.memory.push(memory)
  }
  return found
}

async function measureOn(name: Name, run: Run) {
  const started = await Promise.all(
    builds.map(async (build) => {
      // An older build does not work on the tables of a newer one.
      const database = name === 'postgres' ? await createDatabase() : undefined
      const folder = join(stageOf(run, build).folder, 'builds')
      const programs = await startServices({ ...stageOf(run, build), folder }, 1, database)
      return { build, database, server: toServer(name, programs, database) }
    }),
  )
  const serverOf = (build: Build) => {
    const one = started.find((other) => other.build === build)
    if (!one) throw new Error(`${build} was not started`)
    return one.server
  }
  try {
    const rows: BuildRow[] = []
    for (const one of run.cases) rows.push(await measureCase(name, one, serverOf, run))
    const [before = NaN, now = NaN] = builds.map((build) => memoryOf(serverOf(build)))
    return { rows, memory: { server: name, before, now } }
  } finally {
    for (const { server, database } of started) {
      for (const program of server.programs) await program.stop()
      await database?.remove()
    }
  }
}

async function measureCase(
  server: Name,
  one: Case,
  serverOf: (build: Build) => Server,
  { generator, pace, tell, targetOf }: Run,
): Promise<BuildRow> {
  const costs: Record<Build, number[]> = { before: [], now: [] }
  const measureOne = (build: Build, seconds: number) =>
    measure(targetOf(serverOf(build), one), generator, seconds)
  for (const build of builds) await measureOne(build, 5 * pace.warmUp)
  for (let pair = 1; pair <= pace.pairs; pair += 1) {
    tell(`builds: ${server} ${one.id}, ${pair} of ${pace.pairs}`)
    for (const build of pair % 2 ? builds : builds.toReversed()) {
      costs[build].push((await measureOne(build, pace.seconds)).cpu ?? NaN)
    }
  }
  const { before, now } = costs
  const ratios = now.map((cost, pair) => cost / (before[pair] ?? NaN))
  return {
    server,
    case: one.id,
    before: median(before),
    now: median(now),
    ratio: spreadOf(ratios),
  }
}

const memoryOf = ({ programs: [program] }: Server): number => readMemory(program?.pid ?? 0) ?? NaN

/** A read and a write. */
const profiled: readonly Case['id'][] = ['accountsGet', 'walletCreate']
const profiledSeconds = { warmUp: 3, measured: 6 }

export async function measureProfiles(run: Run): Promise<Profiles> {
  const found: Profiles = { commit: run.older.commit, rows: [] }
  for (const build of builds) {
    const { address, args } = await openInspector()
    const folder = join(stageOf(run, build).folder, 'profiles')
    const programs = await startServices({ ...stageOf(run, build), folder }, 1, undefined, args)
    const server = toServer('sqlite', programs)
    for (const one of run.cases.filter(({ id }) => profiled.includes(id))) {
      run.tell(`profile: ${build} ${one.id}`)
      const target = run.targetOf(server, one)
      await load(target, run.generator, profiledSeconds.warmUp)
      const work = () => load(target, run.generator, profiledSeconds.measured)
      const shares = (await profileAt(address, work)).slice(0, mostShares)
      found.rows.push({ case: one.id, build, shares })
    }
    for (const program of programs) await program.stop()
  }
  return found
}

/** How many functions are recorded. */
const mostShares = 20
