import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { gitIn } from '../diff/base.ts'
import type { Builds, Profiles } from './builds.ts'
import type { ColdStart } from './cold-start.ts'
import type { Dashboard } from './dashboard.ts'
import type { Growth } from './growth-report.ts'
import type { Imports } from './imports.ts'
import type { Latency } from './latency.ts'
import type { Level } from './levels.ts'
import type { Project } from './project.ts'
import type { ProxyTimes } from './proxy.ts'
import type { RequestList } from './request-list.ts'
import type { ServerName } from './server-names.ts'
import type { Throughput } from './throughput.ts'
import type { Validators } from './validators.ts'
import type { MemorySeries } from './watch-memory.ts'
import type { Webhooks } from './webhooks.ts'

/** When, where and of what figures were taken. */
export interface Taken {
  day: string
  commit: string
  machine: string
}

/** Resident memory in MB. */
export interface Memory {
  /** Of this service with the seed data, in its second start, without requests. */
  idle?: number
  /** The same in the first start, which loads that data. */
  idleFirst?: number
  /** Of one process of each server after its start, after all the load, and when idle after it. */
  servers: { server: ServerName; started: number; loaded: number; rested?: number }[]
  /** Of the same services during the load. */
  series?: MemorySeries[]
}

export interface Part<Found> {
  taken: Taken
  found: Found
  levels: Level[]
}

/** What is measured, part by part. */
export interface Measured {
  throughput: Throughput[]
  latency: Latency[]
  coldStart: ColdStart
  memory: Memory
  webhooks: Webhooks
  proxy: ProxyTimes
  validators: Validators
  imports: Imports
  dashboard: Dashboard
  requestList: RequestList
  builds: Builds
  profiles: Profiles
  project: Project
}

/** Of a part that is not there nothing is known. */
export type Parts = { [Name in keyof Measured]?: Part<Measured[Name]> }

export interface Figures extends Parts {
  /** Measured by itself, with `--growth`. */
  growth?: Growth
}

export const recordedFile = join(root, 'src/docs/bench.json')

export const readFigures = (): Figures =>
  existsSync(recordedFile) ? (JSON.parse(readFileSync(recordedFile, 'utf8')) as Figures) : {}

/** Replaces the parts that were measured, and leaves the others as they were. */
export function keepFigures(figures: Figures): void {
  writeFileSync(recordedFile, `${JSON.stringify({ ...readFigures(), ...figures }, null, 2)}\n`)
}

export const allLevels = (figures: Figures): Level[] =>
  Object.values(figures).flatMap((part) => ('levels' in part ? part.levels : []))

/** Today, this commit and this machine. */
export function takeNote(database: string | undefined): Taken {
  const [{ model = 'unknown processor' } = {}] = cpus()
  const parts = [
    `${cpus().length} cores of ${model.trim()}`,
    `Node ${process.versions.node}`,
    ...(database === undefined ? [] : [`PostgreSQL ${database}`]),
    `${process.platform} ${release()}`,
  ]
  return { day: new Date().toISOString().slice(0, 10), commit: commit(), machine: parts.join(', ') }
}

/** The commit of the checkout, and whether there is more than it says. */
function commit(): string {
  try {
    const git = gitIn(root)
    const changed = git('status', '--porcelain', '--', 'src', 'generated', 'scripts') !== ''
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? ' with changes' : '')
  } catch {
    return 'unknown'
  }
}
